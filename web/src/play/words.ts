// What players call the rules of a system and their fields, as its file says (the `Form:` lines of its documentation); what the
// file does not name is called by its name in the language.

import type { Field, FunctionDoc, Parameter } from '../engine/types';
import { spoken } from '../roll/outcome';

export const ruleTitle = (rule: FunctionDoc) => rule.title ?? spoken(rule.name);
export const fieldTitle = (one: Parameter | Field) => one.words.title ?? spoken(one.name);
