import { appliedDelta } from "@weft/contract/device/v1/delta.ts";
import {
  fromController,
  type MessageFromController,
  maxBytes,
} from "@weft/contract/device/v1/messages.ts";
import { expect, test } from "vitest";
import { givenSections, sectionMessages } from "./sections.ts";

const id = { epoch: 2, serial: 7 };
const hashOf = (at: number) => String(at).padStart(64, "0");

test("contents of sections travel in the text in which they are stored", () => {
  const text = '{"b":[1,2],"a":"é\\u0000"}';
  const [message, ...others] = sectionMessages(id, [{ hash: hashOf(1), text, delta: null }]);
  expect(others).toEqual([]);
  expect(message).toContain(text);
  expect(fromController.parse(JSON.parse(message ?? ""))).toEqual({
    type: "sections",
    ...id,
    contents: { [hashOf(1)]: JSON.parse(text) },
  });
});

test("what does not fit in one message follows in the next, in order and once", () => {
  const text = JSON.stringify("é".repeat(1_500_000));
  const rows = [1, 2, 3, 4, 5].map((at) => ({ hash: hashOf(at), text, delta: null }));
  const messages = sectionMessages(id, rows).map((message) => JSON.parse(message));
  expect(messages.length).toBeGreaterThan(1);
  expect(messages.flatMap(({ contents }) => Object.keys(contents))).toEqual(
    rows.map(({ hash }) => hash),
  );
});

test("one that fits in a message only without the blanks of a row from before is sent without them", () => {
  const section = { names: Array.from({ length: 900_000 }, (_, at) => 1_000_000 + at) };
  const text = JSON.stringify(section).replaceAll(",", ",  ");
  expect(Buffer.byteLength(text)).toBeGreaterThan(maxBytes.fromController);
  const [message = "", ...others] = sectionMessages(id, [{ hash: hashOf(1), text, delta: null }]);
  expect(others).toEqual([]);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(maxBytes.fromController);
  expect(JSON.parse(message).contents[hashOf(1)]).toEqual(section);
});

const networks = (count: number) => Array.from({ length: count }, (_, at) => `10.0.${at}.0/24`);
const asText = (list: readonly string[]) => JSON.stringify({ networks: list });

test("a section that hardly differs from one that the device has is given as the difference", () => {
  const [base, wanted, other] = [hashOf(1), hashOf(2), hashOf(3)];
  const before = asText(networks(200));
  const after = asText(["10.9.0.0/16", ...networks(200)]);
  const unlike = JSON.stringify({ hostname: "a" });
  const rows = [
    { hash: base, text: before },
    { hash: wanted, text: after },
    { hash: other, text: unlike },
  ];
  const given = givenSections([wanted, other, wanted], { [wanted]: base, [other]: base }, rows);
  const messages = sectionMessages(id, given);
  expect(messages).toHaveLength(1);
  const [text = ""] = messages;
  expect(Buffer.byteLength(text)).toBeLessThan(500);
  const { contents, deltas } = fromController.parse(
    JSON.parse(text),
  ) as MessageFromController<"sections">;
  expect(contents).toEqual({ [other]: JSON.parse(unlike) });
  expect(Object.keys(deltas ?? {})).toEqual([wanted]);
  const delta = deltas?.[wanted];
  if (!delta) throw new Error("no delta");
  expect(delta.base).toBe(base);
  expect(appliedDelta(delta, before)).toBe(after);
});

test("a section is given in full when its base was not read, and none that was not asked for", () => {
  const [base, wanted] = [hashOf(1), hashOf(2)];
  const text = asText(networks(200));
  expect(givenSections([wanted], { [wanted]: base }, [{ hash: wanted, text }])).toEqual([
    { hash: wanted, text, delta: null },
  ]);
  expect(givenSections([wanted], { [wanted]: base }, [{ hash: base, text }])).toEqual([]);
});
