// What the views ask of the engine beside the odds: many rolls, how fields go together, pictures, text for a chat.

import type { Chance, Refusal, Source, View } from './types';

export type RollsRequest = { ask: 'rolls'; count: number; seed?: string } & Source;
/** `result` is the name after `show`; `across` and `down` are fields, whose pairs are then counted. */
export type JointRequest = { ask: 'joint'; result?: string; across?: string; down?: string; steps?: number } & Source;
export type PictureRequest = {
  ask: 'picture';
  view: View;
  theme?: 'light' | 'dark' | 'viewer';
  field?: string;
  width?: number;
  height?: number;
  steps?: number;
} & Source;
export type ChatPlace = 'markdown' | 'reddit' | 'discord';
export type CopyRequest = { ask: 'copy'; for: ChatPlace; link: string; view: View; steps?: number } & Source;
export type ViewRequest = RollsRequest | JointRequest | PictureRequest | CopyRequest;

/** How often each outcome came up, one entry for each result of the odds. `count` is how many rolls were made. */
export type RollsAnswer =
  | { ok: true; count: number; seed: string; results: { counts: { label: string; times: number }[]; mean: number | null }[] }
  | Refusal;
/** `same` tells for each field the first one that is always equal to it; a correlation is null where nothing varies. */
export type Moments = {
  fields: string[];
  same: (number | null)[];
  correlations: ({ text: string; value: number } | null)[][];
};
export type PairMap = { across: string[]; down: string[]; cells: (Chance | null)[][]; rest: Chance | null };
export type JointAnswer = { ok: true; moments: Moments | null; map?: PairMap | null } | Refusal;
export type PictureAnswer = { ok: true; content: string } | Refusal;
export type CopyAnswer = { ok: true; text: string } | Refusal;

export type ViewAnswer<R extends ViewRequest> = R extends RollsRequest
  ? RollsAnswer
  : R extends JointRequest
    ? JointAnswer
    : R extends PictureRequest
      ? PictureAnswer
      : CopyAnswer;
