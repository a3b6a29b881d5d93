import { deflateSync } from "node:zlib";
import { Transformer } from "@napi-rs/image";
import { describe, expect, test } from "vitest";
import { Refusal } from "#kernel/refuse.ts";
import { pictureSize, takePicture } from "./picture.ts";

const pixels = (width: number, height: number) =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(200), width, height);

/** The rule that a file is refused by. */
const ruleOf = async (file: Uint8Array): Promise<unknown> =>
  takePicture("logo", file).then(
    () => null,
    (error: unknown) => (error instanceof Refusal ? error.issues[0]?.rule : error),
  );

/** A PNG of one colour that says it has this size; few bytes however large it is. */
function pngThatSays(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.alloc(100_000))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("a picture", () => {
  test("of each kind is read by its head, and kept as PNG in its box", async () => {
    const files = {
      png: await pixels(960, 300).png(),
      jpeg: await pixels(960, 300).jpeg(),
      webp: await pixels(960, 300).webp(),
    };
    for (const [kind, file] of Object.entries(files)) {
      expect(pictureSize(file)).toEqual({ kind, width: 960, height: 300 });
      const { content, digest } = await takePicture("logo", file);
      expect(pictureSize(content)).toEqual({ kind: "png", width: 307, height: 96 });
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
    }
    const lossless = await pixels(70, 33).webpLossless();
    expect(pictureSize(lossless)).toEqual({ kind: "webp", width: 70, height: 33 });
  });

  test("that is small stays as large as it is", async () => {
    const { content } = await takePicture("icon", await pixels(40, 30).png());
    expect(pictureSize(content)).toEqual({ kind: "png", width: 40, height: 30 });
  });

  test("keeps nothing but its pixels", async () => {
    const script = Buffer.from("<script>alert(1)</script>");
    const file = Buffer.concat([await pixels(40, 30).png(), script]);
    const { content } = await takePicture("logo", file);
    expect(content.includes(script)).toBe(false);
  });

  test("that unpacks to more than it is worth is refused before it is unpacked", async () => {
    const bomb = pngThatSays(60_000, 60_000);
    expect(bomb.length).toBeLessThan(1_000);
    // A decoder would refuse this file too, as a broken one: this rule is known without having decoded it.
    expect(await ruleOf(bomb)).toBe("pictureTooLarge");
    expect(await ruleOf(pngThatSays(4_097, 1))).toBe("pictureTooLarge");
    expect(await ruleOf(pngThatSays(4_096, 1))).toBe("picture");
  });

  test.each([
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ["an SVG behind a comment", Buffer.from("<!-- x --><svg/>")],
    ["a page", Buffer.from("<html></html>".repeat(40))],
    ["a GIF", Buffer.from("GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;")],
    ["a head alone", pngThatSays(40, 40).subarray(0, 33)],
    ["a picture without a side", pngThatSays(0, 9)],
    ["a broken picture", pngThatSays(40, 40)],
    ["a JPEG without an end", Buffer.from([0xff, 0xd8, 0xff, 0xff])],
    ["a segment of no length", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])("is not: %s", async (_, file) => expect(await ruleOf(file)).toBe("picture"));

  test("of more than a megabyte is not looked at", async () => {
    expect(await ruleOf(new Uint8Array(1_048_577))).toBe("fileTooLarge");
  });
});
