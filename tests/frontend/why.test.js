// A program goes into a link and comes back; what comes by a link is bounded before it is unpacked.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { linkOf, MOST, programOf } from "../../notebooks/site/why/link.js";

test("a program comes back as it was", async () => {
  for (const program of ["x = 1\n", "# é ✂ 😀\n".repeat(50), "y = x @ w + b\n".repeat(400)]) {
    const link = await linkOf(program);
    assert.match(link, /^#p=[\w-]+$/);
    assert.equal(await programOf(link), program);
  }
});

test("what is too long gets no link", async () => {
  assert.equal(await linkOf("x".repeat(MOST + 1)), "");
  let noise = "";
  for (let k = 1; noise.length < MOST; k = (k * 48271) % 2147483647) noise += k.toString(36);
  assert.equal(await linkOf(noise.slice(0, MOST)), "");
});

test("what is no program, or unpacks to more than one, is none", async () => {
  const large = deflateRawSync(Buffer.alloc(10_000_000, "x")).toString("base64url");
  for (const fragment of ["", "#", "#p=", "#p=!", "#p=AAAA", "#q=eA", `#p=${"A".repeat(9000)}`])
    assert.equal(await programOf(fragment), "", fragment);
  assert.equal(await programOf(`#p=${large.slice(0, 7990)}`), "", "it ends in the middle");
  const most = deflateRawSync(Buffer.alloc(MOST * 20, "x")).toString("base64url");
  assert.ok(most.length < 7990 && (await programOf(`#p=${most}`)) === "");
  assert.equal(await programOf(`#p=${deflateRawSync(Buffer.from([255, 254])).toString("base64url")}`), "");
});

test("a link that somebody has changed holds a bounded program, or none", async () => {
  const link = await linkOf("<img src=x onerror=alert(1)>\n".repeat(40) + "y = x @ w + b\n".repeat(3000));
  const bytes = Buffer.from(link.slice(3), "base64url");
  let k = 17;
  const draw = (/** @type {number} */ most) => (k = (k * 48271) % 2147483647) % most;
  let programs = 0;
  for (let trial = 0; trial < 500; trial++) {
    const changed = Buffer.from(bytes.subarray(0, trial % 3 ? bytes.length : draw(bytes.length)));
    for (let n = draw(4); n >= 0 && changed.length; n--) changed[draw(changed.length)] ^= 1 << draw(8);
    const program = await programOf(`#p=${changed.toString("base64url")}`);
    assert.ok(program.length <= MOST);
    programs += program !== "";
  }
  assert.ok(programs > 0 && programs < 500, `${programs} of 500 unpack`);
  assert.equal(await programOf(`#p=${"A".repeat(10_000_000)}`), "");
});
