// @ts-check
// Whether data are a card of the gallery. They may come from anywhere: what is not whole, or so large that the page
// would stand still, is not drawn.

import { CARD } from "../schemas.js";
import { isRecord, readerOf } from "../storyboard/schema.js";

const cardAt = readerOf(CARD.$defs.Card, CARD.$defs);

/** Its play is a trace, which the player itself looks at. @param {any} given  {card, play} */
export const isCard = (given) =>
  isRecord(given) && cardAt(given.card, given.card) === null && given.card.right < given.card.choices.length;
