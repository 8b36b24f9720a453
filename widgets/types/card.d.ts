// Made from minitape/schemas/card.json by generate.py beside it. Types only: nothing of this file is delivered.

/** What the explainer says of the broken program. */
export interface Told {
  place: string | null;
  why: string;
  fix: string | null;
}

export interface Choice {
  text: string;
  says: string;
}

/** One card among all of them, and the text in which it is searched. */
export interface Entry {
  key: string;
  title: string;
  situations: string[];
  text: string;
}

/**
 * `right`: the number of the right choice. `first`: the programs of the card, where others have been run. `gallery`:
 * all cards, where one can leaf through them.
 */
export interface Card {
  key: string;
  title: string;
  language: "en" | "fr" | "es";
  words: Record<string, string>;
  question: string;
  choices: Choice[];
  right: number;
  symptom: string;
  rule: string;
  bites: string;
  codes: [string, string];
  marks: [[number, number, number][], [number, number, number][]];
  answers: [[string, string], [string, string]];
  notes: [string, string][];
  told?: Told | null;
  first?: [string, string];
  gallery?: Entry[];
  situations?: string[];
}
