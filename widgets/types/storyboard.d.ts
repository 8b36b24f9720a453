// Made from minitape/schemas/trace.json by generate.py beside it. Types only: nothing of this file is delivered.

/** An index into the list that the name of the field says. */
export type Index = number;

/** What JSON has no number for is a text. */
export type Numeric = number | "nan" | "inf" | "-inf";

export type Params = Record<string, string | number | boolean | null>;

/** [source, line, column, end line, end column]; lines from 1, columns from 0, in characters. */
export type Span = [Index, number, number, number, number];

/**
 * A code pane. `lines`: the ranges that took part, null where that is not known; `first`: the number of the text's
 * first line in its file.
 */
export interface Source {
  name: string;
  text: string;
  lines: [number, number][] | null;
  first?: number | null;
}

export interface Tape {
  name: string;
  persistent: boolean;
}

/** What is shown of a value: of a scalar its number, of an array at most 16 × 16 cells, the last axis along a row. */
export interface Summary {
  text: string;
  dtype: string;
  shape: number[];
  number?: Numeric | null;
  min?: Numeric | null;
  max?: Numeric | null;
  mean?: Numeric | null;
  nan?: number | null;
  inf?: number | null;
  zero?: number | null;
  cells?: Numeric[][] | null;
  strided?: boolean | null;
  bytes?: number | null;
}

export type Role = "variable" | "watched" | "constant" | "input" | "intermediate";

export type Flow = "open" | "unwatched" | "blocked" | "unregistered" | "escape";

/** A value in the graph, called `label`, the learner's name, or, where that is empty, `text`. A leaf has no card. */
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

/**
 * `back`: in a program, the lines of its way back. `called`: what learners of its library know the operation by, where
 * that is another name. `sign`: what the formulas call the adjoint of its output. `layer`: the number of the call of a
 * layer that recorded it, and the layer's name.
 */
export interface Card {
  op: string;
  called?: string;
  tape: Index;
  inputs: Index[];
  outputs: Index[];
  where: Span | null;
  back?: Span | null;
  formula: (string | null)[];
  needs: boolean[];
  bytes: number | null;
  group: Index | null;
  sign?: string | null;
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

/** `cards`: the first and the last. */
export interface Group {
  label: string;
  kind: "layer" | "function" | "loop" | "round" | "step" | "lines";
  parent: Index | null;
  cards: [Index, Index];
  nodes: Index[];
}

/** `frames`: the first and the last. */
export interface Pass {
  kind: "gradient" | "jacobian";
  tape: Index;
  targets: Index[];
  sources: Index[];
  frames: [Index, Index];
}

/** A round of a training loop. */
export interface Chapter {
  title: string;
  frame: Index;
  loss: Index | null;
  group: Index | null;
}

/**
 * `idea`: the mistake behind it, null where it is right; `params`: what its sentence says of this very answer, besides
 * what the question says. A choice of a card has its `card`, of a sign its `sign`.
 */
export interface Choice {
  text: string;
  idea?: string | null;
  params?: Params;
  say?: string | null;
  card?: number;
  sign?: number;
}

/** Asked when `frame` acts have been shown. */
export interface Prompt {
  frame: Index;
  kind: "number" | "sign" | "card" | "choice";
  answer: number | string | null;
  tolerance: number | null;
  choices: Choice[];
  key: string;
  params: Params;
  right: string | null;
  question?: string | null;
  code?: string | null;
  say?: string | null;
  hint?: string | null;
}

/** What a lesson says when `frame` acts have been shown, by language. */
export interface Aside {
  frame: number;
  text: Record<string, string>;
}

export type Asides = Aside[];

export interface RecordFrame extends AnyFrame {
  act: "record";
  card: Index;
}

export interface SkipFrame extends AnyFrame {
  act: "skip";
  note: Index;
  node: Index | null;
}

export interface NoteFrame extends AnyFrame {
  act: "note";
  note: Index;
}

export interface SeedFrame extends AnyFrame {
  act: "seed";
  pass: Index;
  node: Index;
  value: Index;
}

export interface VisitFrame extends AnyFrame {
  act: "visit";
  card: Index;
}

export interface PartFrame extends AnyFrame {
  act: "part";
  card: Index;
  input: number;
  node: Index;
  value: Index;
}

export interface SumFrame extends AnyFrame {
  act: "sum";
  node: Index;
  value: Index;
}

export interface CutFrame extends AnyFrame {
  act: "cut";
  why: string;
  card: Index | null;
  input: number | null;
  node: Index | null;
}

export interface ResultFrame extends AnyFrame {
  act: "result";
  pass: Index;
  node: Index;
  value: Index | null;
}

export interface RowFrame extends AnyFrame {
  act: "row";
  pass: Index;
  row: number[];
  value: Index;
}

export interface ReleaseFrame extends AnyFrame {
  act: "release";
  tape: Index;
}

export interface ChapterFrame extends AnyFrame {
  act: "chapter";
  chapter: Index;
}

/** One act of the play. `where`: in a program, its lines. */
interface AnyFrame {
  act: string;
  key?: string | null;
  where?: Span | null;
  card?: Index | null;
  input?: number | null;
  node?: Index | null;
  value?: Index | null;
  local?: Index | null;
  adjoint?: Index | null;
  count?: number | null;
  use?: number | null;
  note?: Index | null;
  edge?: Index | null;
  why?: string | null;
  pass?: Index | null;
  row?: number[] | null;
  tape?: Index | null;
  chapter?: Index | null;
}
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

export interface NodeBox extends AnyBox {
  node: Index;
  group?: undefined;
}

export interface GroupBox extends AnyBox {
  group: Index;
  node?: undefined;
}

export type Point = [number, number];

/**
 * The place of a node or of a group: x and y are its centre, in pixels from the top left. `inside`: it has room for a
 * round of a loop.
 */
interface AnyBox {
  x: number;
  y: number;
  w: number;
  h: number;
  inside?: boolean;
  node?: Index;
  group?: Index;
}
export type Box = NodeBox | GroupBox;

/**
 * `points`: control points of cubic Bezier curves, 1 + 3k of them. `count`: how many edges share it. `also`: the edge
 * of a second tape that recorded the same operation.
 */
export interface Line {
  edge: Index;
  points: Point[];
  count?: number;
  also?: Index[] | null;
}

/** Another place for each box of a drawing (x, y, w, h) and other points for each line. */
export interface Places {
  width: number;
  height: number;
  boxes: [number, number, number, number][];
  lines: Point[][];
}

/**
 * The first one is the whole; every group but a loop has one of its own. `others`: the same in other rooms, those with
 * the most numbers first.
 */
export interface Drawing {
  group: Index | null;
  like?: undefined;
  engine: string;
  width: number;
  height: number;
  nodes: Box[];
  edges: Line[];
  others?: Places[] | null;
}

/** A drawing with the places of another: nodes or groups box by box, edges line by line. */
export interface Likeness {
  group: Index;
  like: Index;
  nodes: number[];
  edges: Index[];
}

export type Scalar = null | boolean | number | string;

export type Flat = Scalar | Scalar[] | Record<string, Scalar>;

export type Nested = Scalar | Flat[] | Record<string, Flat>;

export type Deep = Scalar | Nested[] | Record<string, Nested>;

/**
 * What a page needs to play the entries once more: numbers of nodes and of seeds, the last axis fastest, and the
 * attributes of cards ("unknown": not to be played).
 */
export interface Replay {
  numbers: [Index, Numeric[]][];
  attributes: [Index, "unknown" | Record<string, Deep>][];
  seeds: [Index, Numeric[]][];
}

export interface Storyboard {
  version: 1;
  language: "en" | "fr" | "es";
  title: string;
  recording?: "tape" | "graph" | "trace" | null;
  sources: Source[];
  tapes: Tape[];
  values: Summary[];
  nodes: Node[];
  edges: Edge[];
  cards: Card[];
  notes: Note[];
  groups: Group[];
  passes: Pass[];
  chapters: Chapter[];
  prompts: Prompt[];
  frames: Frame[];
  drawings: (Drawing | Likeness)[];
  asides?: Asides | null;
  replay?: Replay | null;
}

/** One between the cells of a lesson. */
export interface Question {
  kind: "number" | "sign" | "card" | "choice";
  answer?: number | string | null;
  tolerance?: number | null;
  choices: Choice[];
  question: string;
  say?: string | null;
  hint?: string | null;
  code?: string | null;
}

/** `end`: why there are no more points. */
export interface Walk {
  points: number[][];
  end: string;
}

/** Walks down a loss, one for each learning rate: at each step where the variables are, the loss, and its slopes. */
export interface Valley {
  names: string[];
  x: [number, number];
  y: [number, number];
  ground: string[];
  ticks: [number, string][][];
  steps: number;
  rates: number[];
  rate: number;
  walks: Walk[];
}

/** How it is shown; what is none of these is left out. */
export interface Settings {
  start?: number | string;
  hide?: string[];
  large?: boolean;
  folded?: boolean;
  closed?: boolean;
  knows?: string[];
  language?: string;
  link?: string;
  names?: string[];
  unread?: string[];
  size?: string;
  judged?: boolean;
  room?: number;
  above?: number;
}
