// @ts-check
// A program in the fragment of an address: `#p=` and its text, deflated, in base64url. What comes by a link is anybody's:
// it is bounded before it is unpacked, and never run here.

const LONGEST = 8000; // characters of a link that mails and forums leave whole
export const MOST = 50_000; // characters of a program

/** @param {string} program  @returns {Promise<string>} the fragment, "" for what is too long for a link */
export async function linkOf(program) {
  const deflated = new Blob([program]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  if (bytes.length > LONGEST || program.length > MOST) return "";
  const text = btoa(String.fromCharCode(...bytes));
  const link = `#p=${text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return link.length > LONGEST ? "" : link;
}

/** @param {string} fragment  @returns {Promise<string>} the program, "" where there is none */
export async function programOf(fragment) {
  const [, text] = /^#p=([\w-]+)$/.exec(fragment) ?? [];
  if (!text || text.length > LONGEST) return "";
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const reader = inflated.pipeThrough(new TextDecoderStream("utf-8", { fatal: true })).getReader();
    let program = "";
    while (program.length <= MOST) {
      const { done, value } = await reader.read();
      if (done) return program;
      program += value;
    }
    await reader.cancel();
  } catch {
    // no program
  }
  return "";
}
