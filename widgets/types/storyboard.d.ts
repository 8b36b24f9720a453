// A storyboard, version 1, as the front end reads it. The contract itself, with its reasons, stands in
// minitape/storyboard/CONTRACT.md; tests/storyboard/storyboard_contract.py checks real ones against it. These are types
// only: they help while one writes, the type checker holds the modules to them, and nothing of this file is delivered.

/** An index into one of the storyboard's lists; which list, the name of the field says. */
export type Index = number;

/** A number as JSON has it: what JSON cannot write is a text. */
export type Numeric = number | "nan" | "inf" | "-inf";

/** [source, line, column, end line, end column]; lines from 1, columns from 0, in characters. */
export type Span = [number, number, number, number, number];

export type Role = "variable" | "watched" | "constant" | "input" | "intermediate";
export type Flow = "open" | "unwatched" | "blocked" | "unregistered" | "escape";
export type Params = Record<string, string | number>;

export interface Storyboard {
  version: 1;
  language: string;
  title: string;
  sources: Source[];
  tapes: { name: string; persistent: boolean }[];
  values: Summary[];
  nodes: Node[];
  edges: Edge[];
  cards: Card[];
  notes: Note[];
  groups: Group[];
  passes: Pass[];
  chapters: Chapter[];
  prompts: Prompt[];
  asides?: Aside[];
  frames: Frame[];
  drawings: (Drawing | Likeness)[];
  replay?: Replay | null;
}

/**
 * What the page needs to play the entries once more: numbers of nodes and seeds, flat, and attributes ("unknown": do
 *   not try).
 */
export interface Replay {
  numbers: [Index, Numeric[]][];
  attributes: [Index, unknown][];
  seeds: [number, Numeric[]][];
}

/** A code pane; `lines` are the ranges that took part (null: unknown). */
export interface Source {
  name: string;
  text: string;
  lines: [number, number][] | null;
  /** The number of the first line in a file that is shown in part. */
  first?: number | null;
}

/** What is shown of a value: of a scalar its number, of an array at most 16 × 16 cells, the last axis along a row. */
export interface Summary {
  text: string;
  dtype: string;
  shape: number[];
  number?: Numeric | null;
  min?: Numeric;
  max?: Numeric;
  mean?: Numeric;
  nan?: number;
  inf?: number;
  zero?: number;
  cells?: Numeric[][];
  strided?: boolean;
  bytes?: number;
}

/** A value in the graph: called `label`, the learner's name, or, where that is empty, `text`. A leaf has no card. */
export interface Node {
  label: string;
  text: string;
  role: Role;
  target: boolean;
  source: boolean;
  op: string | null;
  card: Index | null;
  value: Index | null;
  where: Span | null;
  bytes: number | null;
  group: Index | null;
}

/** An edge without a card is a way that is not there; it is drawn to be cut. */
export interface Edge {
  from: Index;
  to: Index;
  card: Index | null;
  input: number | null;
  flow: Flow;
}

export interface Card {
  op: string;
  tape: Index;
  inputs: Index[];
  outputs: Index[];
  where: Span | null;
  /** In a program: the lines of its way back. */
  back?: Span | null;
  formula: (string | null)[];
  /** What the formulas call the adjoint of its output: ȳ for y, ū₂ for what card 2 made. */
  sign?: string;
  needs: boolean[];
  bytes: number | null;
  group: Index | null;
  /** The call of a layer that recorded it, and the layer's name. */
  layer?: [number, string] | null;
}

export interface Note {
  kind: string;
  key: string;
  params: Params;
  tape: Index | null;
  where: Span | null;
  nodes: Index[];
}

export interface Group {
  label: string;
  kind: "layer" | "function" | "loop" | "round" | "step" | "lines";
  parent: Index | null;
  cards: [Index, Index];
  nodes: Index[];
}

export interface Pass {
  kind: "gradient" | "jacobian";
  tape: Index;
  targets: Index[];
  sources: Index[];
  frames: [number, number];
}

/** A round of a training loop. */
export interface Chapter {
  title: string;
  frame: number;
  loss: Index | null;
  group: Index | null;
}

/** A choice of a card has its `card`, of a sign its `sign`; `idea`: the mistake behind it (null: it is right). */
export interface Choice {
  text: string;
  idea?: string | null;
  /** What its sentence says of this very answer, besides what the question says. */
  params?: Params;
  say?: string;
  card?: Index;
  sign?: number;
}

/**
 * Asked when `frame` acts have been shown. A question of its own, between cells, has texts in `question`, `code` and
 * `say`.
 */
export interface Prompt {
  frame: number;
  kind: "number" | "sign" | "card" | "choice";
  key: string;
  params: Params;
  answer: string | number | null;
  tolerance: number;
  choices: Choice[];
  right: string;
  question?: string;
  code?: string;
  say?: string;
}

/** What a lesson says when `frame` acts have been shown, by language. */
export interface Aside {
  frame: number;
  text: { [language: string]: string };
}

/** Everything that an act may tell; what it does not tell is undefined. */
interface Telling {
  key: string;
  card: Index | null;
  input: number | null;
  node: Index | null;
  value: Index | null;
  local: Index | null;
  adjoint: Index;
  count: number;
  use: number;
  note: Index | null;
  edge: Index | null;
  why: string;
  pass: Index;
  row: number[];
  tape: Index;
  chapter: Index;
}

/** `where`: in a program, the lines of this act (null: none); else it stands where its card, node or note does. */
type Act<Name extends string, Told> = { act: Name; key?: string; where?: Span | null } & Told & {
    [Field in Exclude<keyof Telling, keyof Told | "key">]?: undefined;
  };

export type RecordFrame = Act<"record", { card: Index }>;
export type SkipFrame = Act<"skip", { note: Index; node: Index | null }>;
export type NoteFrame = Act<"note", { note: Index }>;
export type SeedFrame = Act<"seed", { pass: Index; node: Index; value: Index; row?: number[] }>;
export type VisitFrame = Act<"visit", { card: Index; value?: Index }>;
export type PartFrame = Act<
  "part",
  { card: Index; input: number; node: Index; value: Index; adjoint?: Index; local?: Index | null; use?: number }
>;
export type SumFrame = Act<"sum", { node: Index; value: Index; count?: number }>;
export type CutFrame = Act<
  "cut",
  {
    card: Index | null;
    input: number | null;
    node: Index | null;
    why: string;
    edge?: Index | null;
    note?: Index | null;
  }
>;
export type ResultFrame = Act<
  "result",
  { pass: Index; node: Index; value: Index | null; why?: string; note?: Index | null }
>;
export type RowFrame = Act<"row", { pass: Index; row: number[]; node?: Index; value: Index }>;
export type ReleaseFrame = Act<"release", { tape: Index }>;
export type ChapterFrame = Act<"chapter", { chapter: Index }>;

/** One act of the play. */
export type Frame =
  | RecordFrame
  | SkipFrame
  | NoteFrame
  | SeedFrame
  | VisitFrame
  | PartFrame
  | SumFrame
  | CutFrame
  | ResultFrame
  | RowFrame
  | ReleaseFrame
  | ChapterFrame;

export type Point = [number, number];

/** x and y are the centre, in pixels from the top left. */
interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}
export type NodeBox = Place & { node: Index; group?: undefined };
/** `inside`: the box of a loop that has room for a round. */
export type GroupBox = Place & { group: Index; node?: undefined; inside?: boolean };

/** `points`: control points of cubic Bezier curves, 1 + 3k of them. */
export interface Line {
  edge: Index;
  points: Point[];
  count?: number;
  also?: Index[];
}

/** `drawings[0]` is the whole (group null); every group has a drawing of its own. */
export interface Drawing {
  group: Index | null;
  like?: undefined;
  engine: string;
  width: number;
  height: number;
  nodes: (NodeBox | GroupBox)[];
  edges: Line[];
}

/** A drawing with the places of another: its nodes or groups box by box, its edges line by line. */
export interface Likeness {
  group: Index | null;
  like: Index;
  nodes: Index[];
  edges: Index[];
}
