// The gallery: one click each, so that nobody needs to learn the language first. Every program is short enough to
// be read in the editor after the click, and each shows one thing that the one before it did not.

import five from '../../../examples/plays/five.dice?raw';
import pig from '../../../examples/plays/pig.dice?raw';
import reroll from '../../../examples/plays/reroll.dice?raw';

export type Example = { title: string; about: string; text: string };
export type Shelf = { game: string; examples: Example[] };

/** What the page opens with. */
export const FIRST = '4d6kh3';

export const SHELVES: Shelf[] = [
  {
    game: 'First steps',
    examples: [
      { title: 'Two dice', about: 'The sum of 2d6', text: '2d6' },
      { title: 'A yes or no', about: 'Does d20 + 5 reach 15?', text: 'd20 + 5 >= 15' },
      {
        title: 'Drag the target',
        about: 'Inputs become sliders',
        text: `# Every param has a slider: drag it and watch the chance.

## What is added to the roll.
param bonus = 5

## The number to reach.
param target = 15

d20 + bonus >= target`,
      },
      {
        title: 'Compare three ways',
        about: 'Several results in one chart',
        text: `# Three ways to roll an ability score, side by side.
show "in order" = 3d6
show "heroic" = 4d6kh3
show "gritty" = 2d6 + 6`,
      },
      {
        title: 'One throw, used twice',
        about: 'Hit and margin from the same die',
        text: `# A let throws once; the name is that value wherever it is used.
let die = d20
{total: die + 7, margin: die + 7 - 15, hit: die + 7 >= 15}`,
      },
    ],
  },
  {
    game: 'Dungeons & Dragons',
    examples: [
      { title: 'Ability score', about: 'Four dice, the highest three', text: '4d6kh3' },
      {
        title: 'Advantage',
        about: 'Against plain and disadvantage',
        text: `# What advantage does to a d20.
show "disadvantage" = 2d20kl1
show "plain" = d20
show "advantage" = 2d20kh1`,
      },
      {
        title: 'Attack with a critical',
        about: 'Hit, critical and damage from one throw',
        text: `# One throw decides the hit, the critical and the damage.

## What is added to the attack roll.
param bonus = 7

## The armour class of the target.
param armour = 16

let die = d20
let hit = die == 20 or (die != 1 and die + bonus >= armour)
if not hit then 0 else if die == 20 then 4d6 + 4 else 2d6 + 4`,
      },
      {
        title: 'Great weapon fighting',
        about: 'Rerolling ones and twos once',
        text: `# A greatsword, with and without rerolling 1 and 2 once.
show "plain" = 2d6 + 4
show "great weapon" = 2d6ro<=2 + 4`,
      },
      {
        title: 'Fireball',
        about: 'Half damage on a save',
        text: `## The dexterity save of the target.
param save = 3

## The difficulty of the save.
param difficulty = 15

let damage = 8d6
if d20 + save >= difficulty then damage // 2 else damage`,
      },
      {
        title: 'The whole character',
        about: 'The best and worst of six scores',
        text: `# Six ability scores: how good is the best of them, how bad the worst?
let scores = times(6, 4d6kh3)
{best: nth_highest(scores, 1), worst: nth_lowest(scores, 1)}`,
      },
    ],
  },
  {
    game: 'Built-in systems',
    examples: [
      {
        title: 'Chronicles of Darkness',
        about: 'A pool with 9-again',
        text: `## Attribute, skill and what else adds dice.
param pool = 7

cofd.action(pool, again: 9)`,
      },
      {
        title: 'Rote or one more die',
        about: 'Is a rote action worth it?',
        text: `# The number of successes of a pool of six, three ways.
show "plain" = cofd.action(6).successes
show "9-again" = cofd.action(6, again: 9).successes
show "rote" = cofd.action(6, rote: true).successes`,
      },
      {
        title: 'Crucible',
        about: 'Boons against banes',
        text: `# Three dice; boons make them larger, banes smaller.

param boons = 2

param banes = 1

crucible.check(15, boons: boons, banes: banes, ability: 3)`,
      },
      {
        title: 'Kaiser skill',
        about: 'Open rolls and fumbles',
        text: `# 2d6 and the skill against a difficulty.

param skill = 6

param difficulty = 12

kaiser.skill(skill, difficulty, advantage: 1)`,
      },
      {
        title: 'Kaiser duel',
        about: 'Who wins the opposed roll?',
        text: 'kaiser.opposed({skill: 8}, {skill: 6}).outcome',
      },
      {
        title: 'Stormchaser',
        about: 'One and two extra dice',
        text: `## The number to reach.
param dc = 15

show "plain" = stormchaser.check(dc, modifier: 3).success
show "+1d" = stormchaser.check(dc, modifier: 3, plus: 1).success
show "+2d" = stormchaser.check(dc, modifier: 3, plus: 2).success`,
      },
      {
        title: 'House rule',
        about: 'Build on a system',
        text: `# A house rule on top of a built-in system: a mage may spend mana for more dice.
fn spell(pool, mana = 0) = cofd.action(pool + min(mana, 3), again: 9)

param mana = 2

spell(5, mana: mana).outcome`,
      },
    ],
  },
  {
    game: 'Story games',
    examples: [
      {
        title: 'Powered by the Apocalypse',
        about: '2d6 in three bands',
        text: `## The stat that is added.
param stat = 1

enum Move = miss | weak_hit | strong_hit

match 2d6 + stat
  ..6 => Move.miss
  7..9 => Move.weak_hit
  else => Move.strong_hit
end`,
      },
      {
        title: 'Blades in the Dark',
        about: 'The highest die decides; two sixes are critical',
        text: `## Dots in the action; without any, two dice are thrown and the lower one counts.
param dice = 2

enum Position = bad | partial | full | critical

fn read(best, second) =
  if best <= 3 then Position.bad
  else if best <= 5 then Position.partial
  else if second == 6 then Position.critical
  else Position.full

fn action(dice) =
  if dice == 0 then read(2d6kl1, 0)
  else if dice == 1 then read(d6, 0)
  else do
    let pool = (dice)d6
    read(nth_highest(pool, 1), nth_highest(pool, 2))
  end

action(dice)`,
      },
      {
        title: 'Fate',
        about: 'Four Fate dice against a target',
        text: `## The skill of the character.
param skill = 2

4dF + skill`,
      },
      {
        title: 'Ironsworn',
        about: 'One action die against two challenge dice',
        text: `param stat = 2

enum Outcome = miss | weak_hit | strong_hit

let score = d6 + stat
let beaten = 2d10cs<(score)
match beaten
  0 => Outcome.miss
  1 => Outcome.weak_hit
  else => Outcome.strong_hit
end`,
      },
    ],
  },
  {
    game: 'Dice pools',
    examples: [
      {
        title: 'Year Zero',
        about: 'Sixes, with and without a push',
        text: `# Sixes count. A push throws again every die that shows neither a 1 nor a 6.
param dice = 6

fn pushed_die() = do
  let first = d6
  if first == 1 or first == 6 then first else d6
end

show "plain" = (dice)d6cs=6
show "pushed" = times(dice, pushed_die()) cs=6`,
      },
      {
        title: 'Shadowrun',
        about: 'Hits and glitches',
        text: `# Fives and sixes are hits; a glitch when more than half the dice show a 1.
param dice = 9

let pool = (dice)d6
{hits: pool cs>=5, glitch: (pool cs=1) * 2 > dice}`,
      },
      {
        title: 'Savage Worlds',
        about: 'Trait die and wild die',
        text: `# A trait die and a wild die, both exploding; the better total counts.
fn trait(sides) = max((1)d(sides)!!, d6!!)

show "d4" = trait(4) >= 4
show "d6" = trait(6) >= 4
show "d8" = trait(8) >= 4
show "d10" = trait(10) >= 4
show "d12" = trait(12) >= 4`,
      },
      {
        title: 'Exploding without an end',
        about: 'Exact, and so is the tail',
        text: `# Every 6 is thrown again and added. The list ends somewhere; the rest is exact.
3d6!`,
      },
      {
        title: 'Roll and keep',
        about: 'Seven keep three, tens explode',
        text: `# Legend of the Five Rings: tens explode, the highest three count.
7d10!!kh3`,
      },
      {
        title: 'World of Darkness, old',
        about: 'Ones take successes away',
        text: `param dice = 6

param difficulty = 7

(dice)d10cs>=(difficulty)cf=1`,
      },
    ],
  },
  {
    game: 'Duels and long runs',
    examples: [
      {
        title: 'Call of Cthulhu',
        about: 'Degrees of success under a skill',
        text: `## The skill in percent.
param skill = 55

enum Degree = fumble | failure | regular | hard | extreme

let die = d%
if die == 100 or (die >= 96 and skill < 50) then Degree.fumble
else if die > skill then Degree.failure
else if die > skill // 2 then Degree.regular
else if die > skill // 5 then Degree.hard
else Degree.extreme`,
      },
      {
        title: 'Risk',
        about: 'Three attackers, two defenders',
        text: `# Highest against highest, next against next; the defender wins ties.
let attack = 3d6
let defence = 2d6
let first = nth_highest(attack, 1) > nth_highest(defence, 1)
let second = nth_highest(attack, 2) > nth_highest(defence, 2)
if first and second then "defender loses two"
else if first or second then "one each"
else "attacker loses two"`,
      },
      {
        title: 'How many tries?',
        about: 'Repeat until a six',
        text: `# Throw until the first six; nobody tries more than twenty times.
(repeat with tries = 0, six = false
  next tries = tries + 1, six = d6 == 6
until six or tries == 20).tries`,
      },
      {
        title: 'A fight to the end',
        about: 'Blow by blow until one falls',
        text: `# Both strike in each round until one falls. How likely is it that they do?

param yours = 12

param theirs = 12

let last = repeat with you = yours, they = theirs
  next they = they - (if d20 >= 11 then d8 else 0), you = you - (if d20 >= 12 then d10 else 0)
until you <= 0 or they <= 0
last.they <= 0`,
      },
      {
        title: 'Many dice',
        about: 'A hundred, exactly',
        text: '100d6',
      },
      {
        title: 'Faces of your own',
        about: 'A weather die with symbols',
        text: 'd{"sun": 3, "cloud": 2, "rain"}',
      },
    ],
  },
  {
    game: 'What should I do?',
    examples: [
      { title: 'One reroll', about: 'Keep the d20, or throw it again?', text: reroll.trim() },
      { title: 'A turn of Pig', about: 'Throw on, or hold what you have?', text: pig.trim() },
      { title: 'Five of a kind', about: 'Which dice to keep, twice', text: five.trim() },
    ],
  },
  {
    game: 'Sets and evidence',
    examples: [
      {
        title: 'A straight of four',
        about: 'Yahtzee: at least four in a row',
        text: 'straight(5d6) >= 4',
      },
      {
        title: 'One-Roll Engine',
        about: 'The widest set of a pool of tens',
        text: `param pool = 8

largest_set((pool)d10)`,
      },
      {
        title: 'A poker hand',
        about: 'The sets of five cards, drawn from a deck',
        text: 'map(sets(5d{1..13: 4} drawn), set => set.size)',
      },
      {
        title: 'Bridge points',
        about: 'Thirteen cards: an ace 4, a king 3, a queen 2, a knave 1',
        text: '13d{0: 36, 1..4: 4} drawn',
      },
      {
        title: 'A battle of RISK',
        about: 'Thirty against thirty, to the end',
        text: `# Highest against highest, ties are the defender's. How many attackers are left?
(repeat with attackers = 30, defenders = 30
  let fight = versus((min(3, attackers))d6, (min(2, defenders))d6)
  next attackers = attackers - fight.losses - fight.ties, defenders = defenders - fight.wins
until attackers == 0 or defenders == 0).attackers`,
      },
      {
        title: 'Given a hit',
        about: 'Damage, once it is known that it hit',
        text: `let die = d20
let damage = if die == 20 then 4d6 + 3 else 2d6 + 3
given die + 5 >= 15
damage`,
      },
      {
        title: 'Dice that breed dice',
        about: 'A six adds two more, without a cap',
        text: `fn burst() = do
  let die = d6
  if die == 6 then die + burst() + burst() else die
end
burst()`,
      },
      {
        title: 'Symbols that add up',
        about: 'Successes and advantages on one die',
        text: `# Two ability dice against one difficulty die, as in Genesys.
let ability = 2d{{}, {s: 1}: 2, {s: 2}, {a: 1}: 2, {s: 1, a: 1}, {a: 2}}
let difficulty = d{{}, {s: 1}, {s: 2}, {a: 1}: 3, {a: 2}, {s: 1, a: 1}}
ability - difficulty`,
      },
    ],
  },
];
