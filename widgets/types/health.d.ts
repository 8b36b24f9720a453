// Made from minitape/schemas/health.json by generate.py beside it. Types only: nothing of this file is delivered.

/** An index into the list that the name of the field says. */
export type Index = number;

export type Measure = "adjoint" | "value" | "update" | "dead" | "saturated";

/** The words for it, and its line of code. */
export interface Place {
  text: string;
  code: string;
}

export interface Layer {
  name: string;
  op: string;
  frozen: boolean;
  place: Place | null;
}

/**
 * A row for each layer, a column for each step that is shown: letters are cells as they are drawn, numbers what is read
 * there.
 */
export interface Cells {
  letters: string[];
  numbers: (number | null)[][];
}

export type Measures = Record<string, Cells>;

/** Of `each` steps together: the mean, the least and the largest. */
export interface Losses {
  each: number;
  mean: (number | null)[];
  low: (number | null)[];
  high: (number | null)[];
}

/** `measure`, `layer`, `step`: where it is seen; null for all. */
export interface Finding {
  text: string;
  cure: string;
  about: string;
  measure: Measure;
  layer: Index | null;
  step: number | null;
  place: Place | null;
}

/** The first number that is none. */
export interface Bad {
  layer: Index | null;
  step: number;
  op: string;
  back?: boolean;
  place: Place | null;
}

/** Base64 of zlib of JSON. */
export interface Packed {
  deflate: string;
}

/**
 * A tape that was kept. `cards`: for each layer the card of its output; `bad`: the card of the first bad number;
 * `trace`: what a player takes, packed.
 */
export interface Tape {
  step: number;
  cards: (number | null)[];
  bad: number | null;
  trace: Packed;
}

export interface Health {
  format: "minitape.health.view";
  version: 1;
  language: "en" | "fr" | "es";
  recording?: "tape" | "graph" | "trace";
  title: string;
  steps: number;
  ended: boolean;
  looked: number[];
  at: number[];
  layers: Layer[];
  measures: Measures;
  losses: Losses;
  findings: Finding[];
  bad: Bad | null;
  tapes?: Tape[];
  note?: string;
}
