import { fromController, maxBytes } from "@weft/contract/device/v1/messages.ts";
import { expect, test } from "vitest";
import { sectionMessages } from "./sections.ts";

const id = { epoch: 2, serial: 7 };
const hashOf = (at: number) => String(at).padStart(64, "0");

test("contents of sections travel in the text in which they are stored", () => {
  const text = '{"b":[1,2],"a":"é\\u0000"}';
  const [message, ...others] = sectionMessages(id, [{ hash: hashOf(1), text }]);
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
  const rows = [1, 2, 3, 4, 5].map((at) => ({ hash: hashOf(at), text }));
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
  const [message = "", ...others] = sectionMessages(id, [{ hash: hashOf(1), text }]);
  expect(others).toEqual([]);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(maxBytes.fromController);
  expect(JSON.parse(message).contents[hashOf(1)]).toEqual(section);
});
