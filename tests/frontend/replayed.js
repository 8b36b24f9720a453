// The runs of replayed.py: 22 MB of JSON, which only those tests read that play numbers again.

import { frozen } from "./given.js";

export const replayed = frozen("MINITAPE_REPLAYED");
