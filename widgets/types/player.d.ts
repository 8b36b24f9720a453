// The words that the modules of the front end share about themselves. What only one module has is said there.

import type { Motion } from "../minitape_widgets/static/elements/motion.js";
import type {
  CutFrame,
  Frame,
  Index,
  PartFrame,
  ResultFrame,
  RowFrame,
  Span,
  Storyboard,
  Summary,
  Valley,
} from "storyboard";

/** What the learner has chosen to look at; null: the current act. */
export type Selection = { card?: Index; node?: Index; note?: Index } | null;

/** Called by a pane when the learner chooses something in it; `silent` while they only walk past. */
export type Choose = (what: Selection, silent?: boolean) => void;

/**
 * A part that has reached a node and is not summed yet; `local` is -1 where the derivative is no single number, and
 * `of`
 * says how many parts are added up together.
 */
export interface Part {
  card: Index;
  input: number;
  value: Index;
  local: Index;
  of: number;
}

/** Where the current act stands; -1 for what it has nothing to do with. */
export interface Current {
  card: Index;
  node: Index;
  edge: Index;
  note: Index;
  where: Span | null;
  value: Index;
  local: Index;
}

/** The head of a tape: it records to the right, turns, and plays to the left. */
export interface Head {
  card: Index;
  doing: "record" | "turn" | "play";
}

/** What is seen after k acts: made by `stateAt`, never changed afterwards. */
export interface Stage {
  k: number;
  frame: Frame | null;
  phase: "start" | "record" | "play" | "done";
  nodes: Uint8Array;
  cards: Uint8Array;
  edges: Uint8Array;
  /** Index into values once the adjoint of a node is complete, else -1. */
  adjoint: Int32Array;
  parts: Map<Index, Part[]>;
  cuts: (CutFrame | PartFrame)[];
  notes: Index[];
  results: ResultFrame[];
  rows: RowFrame[];
  released: Set<Index>;
  pass: Index;
  chapter: Index;
  /** Tape -> where its one head stands: behind a card that it has recorded, or on one that it plays back. */
  heads: Map<Index, Head>;
  visited: number;
  current: Current;
}

/** A sentence in pieces: plain text, and the names in braces with what stands for them. */
export type Piece = string | { name: string; text: string; value?: Summary };

/** All sentences of a language by their keys. */
export type Catalogue = Record<string, string>;

/** What an element may hold: lists in lists, as they come; nothing for what is not there. */
export type Children = Node | string | number | null | undefined | false | Children[];

/** Settings as they come from Python or from a link; anybody may have written them, so nothing is sure. */
export type Settings = Record<string, any>;

/** Settings that were read: every one is there, and has a meaning. */
export interface Options {
  start: number | "play" | "end";
  /** How large a step is. */
  size: "act" | "card" | "line" | "round" | "way";
  /** The same where nobody has said it. */
  usual: Options["size"];
  hide: string[];
  /** The words that the lesson has introduced; null: all. */
  knows: string[] | null;
  large: boolean;
  /** How much larger the notebook's type is than usual. */
  type?: number;
  /** Whether the learner folded the inspector away (true) or opened it (false); null: by the room there is. */
  folded: boolean | null;
  unread: string[];
  /** The height that a pair may have, in pixels, where something else stands on the same screen. */
  room?: number;
  /** One of two players side by side, which has less room. */
  bare?: boolean;
  /** The name of a player of a pair. */
  name?: string;
  /** What moves when one steps on. */
  motion?: Motion;
}

/** What the menu of views changes. */
export interface ViewChange {
  pane?: string;
  on?: boolean;
  large?: boolean;
  pace?: number;
}

/** What a trace holds: a storyboard, two of them, a question, a valley with the tape of its steps; how it is shown. */
export interface Trace {
  valley?: Valley;
  storyboard?: Storyboard;
  pair?: [Storyboard, Storyboard];
  question?: Record<string, any>;
  options?: Settings;
}
