import { createHash } from "node:crypto";
import { ResizeFilterType, ResizeFit, Transformer } from "@napi-rs/image";
import {
  type BrandImage,
  brandBoxes,
  brandFileLimit,
  brandSideLimit,
} from "@weft/contract/domains/enterprises/brand.ts";
import { refuseField } from "#kernel/refuse.ts";
import { pictureSize } from "./picture-size.ts";

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
