// @ts-check
// A small reader of JSON Schemas, of the words that minitape/schemas uses. What is read may come from anywhere, so
// everything is looked at once, before anything is drawn. minitape/schemas/__init__.py reads the same in Python.

/** @typedef {any} Schema */
/**
 * Where something is not what it should be, ".nodes[3].card"; null where nothing is. `whole`: what indices point into.
 * @typedef {(x: any, whole: any) => string | null} Reader
 */

/** @type {(x: any) => boolean} */
export const isRecord = (x) => typeof x === "object" && x !== null && !Array.isArray(x);

/** @type {Record<string, (x: any) => boolean>} */
const TYPES = {
  null: (x) => x === null,
  boolean: (x) => typeof x === "boolean",
  string: (x) => typeof x === "string",
  number: Number.isFinite,
  integer: Number.isInteger,
  array: Array.isArray,
  object: isRecord,
};

/** Words that say something of the whole value; a type comes before what holds for values of that type. */
/** @type {Record<string, (said: any) => (x: any, whole: any) => boolean>} */
const WORDS = {
  type: (name) => TYPES[name],
  const: (value) => (x) => x === value,
  enum: (values) => (x) => values.includes(x),
  minimum: (least) => (x) => x >= least,
  maximum: (most) => (x) => x <= most,
  minLength: (least) => (x) => x.length >= least,
  maxLength: (most) => (x) => x.length <= most || (x.length <= 2 * most && Array.from(x).length <= most), // characters
  pattern: (text) => RegExp.prototype.test.bind(new RegExp(text, "u")),
  minItems: (least) => (x) => x.length >= least,
  maxItems: (most) => (x) => x.length <= most,
  minProperties: (least) => (x) => Object.keys(x).length >= least,
  maxProperties: (most) => (x) => Object.keys(x).length <= most,
  indexOf: (list) => (x, whole) => Array.isArray(whole[list]) && x < whole[list].length,
};

/**
 * What reads values by a schema whose definitions stand in `defs`; false lets nothing stand there.
 * @param {Schema} schema
 * @param {Record<string, Schema>} defs
 * @returns {Reader}
 */
export function readerOf(schema, defs) {
  if (schema === false) return () => "";
  const { $ref, required = [], properties = {}, additionalProperties, prefixItems = [], items, anyOf = [] } = schema;
  if ($ref) return readerOf(defs[$ref.slice("#/$defs/".length)], defs);
  /** @type {(one: Schema) => Reader} */
  const inner = (one) => readerOf(one, defs);
  const tests = Object.keys(WORDS).flatMap((word) => (word in schema ? [WORDS[word](schema[word])] : []));
  const fields = new Map(Object.keys(properties).map((name) => [name, inner(properties[name])]));
  const others = additionalProperties === undefined ? null : inner(additionalProperties);
  const hasFields = fields.size > 0 || others !== null;
  const first = prefixItems.map(inner);
  const rest = items ? inner(items) : null;
  const choices = anyOf.map(inner);

  return (x, whole) => {
    for (const test of tests) if (!test(x, whole)) return "";
    for (const name of required) if (x[name] === undefined) return "." + name;
    if (hasFields)
      for (const name in x) {
        const field = fields.get(name);
        const at = (field ?? others)?.(x[name], whole) ?? null;
        if (at !== null) return field ? "." + name + at : "";
      }
    for (let i = 0; i < (rest ? x.length : first.length); i++) {
      const at = (first[i] ?? rest)(x[i], whole);
      if (at !== null) return `[${i}]` + at;
    }
    for (const choice of choices) if (choice(x, whole) === null) return null;
    return choices.length ? "" : null;
  };
}
