import { createHash } from "node:crypto";
import { ResizeFilterType, ResizeFit, Transformer } from "@napi-rs/image";
import {
  type BrandImage,
  brandBoxes,
  brandFileLimit,
  brandSideLimit,
} from "@weft/contract/domains/enterprises/brand.ts";
import { refuseField } from "#kernel/refuse.ts";

/** Accepted kinds of pictures, and the size in their header, read without decoding them. */
interface PictureSize {
  readonly kind: "png" | "jpeg" | "webp";
  readonly width: number;
  readonly height: number;
}

const isAscii = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.subarray(at, at + text.length).toString("latin1") === text;

/** PNG, section 11.2.2: IHDR is the first chunk. */
const pngSize = (bytes: Buffer): PictureSize | null => {
  const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  const isPng = signature.every((byte, at) => bytes[at] === byte) && isAscii(bytes, 12, "IHDR");
  if (!isPng || bytes.length < 24) return null;
  return { kind: "png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

/** SOF0 to SOF15 without DHT (C4), JPG (C8) and DAC (CC): ITU-T T.81, table B.1. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** JPEG: segments until the frame header (ITU-T T.81, B.2.2). */
const jpegSize = (bytes: Buffer): PictureSize | null => {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      return {
        kind: "jpeg",
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

/** WebP: lossy, lossless and extended files have their size in different places (RFC 9649). */
const webpSize = (bytes: Buffer): PictureSize | null => {
  if (!isAscii(bytes, 0, "RIFF") || !isAscii(bytes, 8, "WEBP") || bytes.length < 30) return null;
  if (isAscii(bytes, 12, "VP8X")) {
    const [width, height] = [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
    return { kind: "webp", width, height };
  }
  if (isAscii(bytes, 12, "VP8L")) {
    const both = bytes.readUInt32LE(21);
    return { kind: "webp", width: (both & 0x3fff) + 1, height: ((both >>> 14) & 0x3fff) + 1 };
  }
  if (!isAscii(bytes, 12, "VP8 ")) return null;
  const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return { kind: "webp", width, height };
};

/** The header of a file; null: not one of these kinds. An SVG may contain scripts and is not accepted. */
export const pictureSize = (bytes: Buffer): PictureSize | null =>
  pngSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes);

export interface Picture {
  /** PNG. */
  readonly content: Buffer;
  /** SHA-256 of the content, in hex. */
  readonly digest: string;
}

/**
 * Decodes a picture and writes it again as PNG in the box of its kind: metadata, other formats hidden
 * in the file and whatever a decoder of a browser might trip over stay behind. Its size is read from
 * its head first, so that a small file that unpacks to a huge picture is never decoded.
 */
export async function takePicture(kind: BrandImage, file: Uint8Array): Promise<Picture> {
  if (file.length > brandFileLimit) refuseField("file", "fileTooLarge", { max: "1 MB" });
  const bytes = Buffer.from(file);
  const size = pictureSize(bytes) ?? refuseField("file", "picture");
  const { width, height } = size;
  if (Math.min(width, height) < 1) refuseField("file", "picture");
  if (Math.max(width, height) > brandSideLimit) {
    refuseField("file", "pictureTooLarge", { max: brandSideLimit });
  }
  const content = await writtenAnew(bytes, kind, size).catch(() => refuseField("file", "picture"));
  return { content, digest: createHash("sha256").update(content).digest("hex") };
}

function writtenAnew(
  bytes: Buffer,
  kind: BrandImage,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Buffer> {
  const box = brandBoxes[kind];
  const picture = new Transformer(bytes).rotate();
  // A small picture stays as it is: made larger it would only be blurred.
  const fits = width <= box.width && height <= box.height;
  return (
    fits
      ? picture
      : picture.resize(box.width, box.height, ResizeFilterType.Lanczos3, ResizeFit.Inside)
  ).png();
}
