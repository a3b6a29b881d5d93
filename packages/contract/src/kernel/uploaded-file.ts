/** A file of a form: in memory its name and bytes, on the wire a part of multipart form-data. */
export interface UploadedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export const isUploadedFile = (value: unknown): value is UploadedFile =>
  typeof value === "object" &&
  value !== null &&
  "bytes" in value &&
  value.bytes instanceof Uint8Array &&
  "name" in value &&
  typeof value.name === "string";
