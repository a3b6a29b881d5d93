import * as codec from "#kernel/codec.ts";

/** Number of a published version: 1, 2, 3 ... of each template. */
export const versionNumber = codec.int(1, 1_000_000);

/** Version of a template that is published again, as its next one; null: what the template holds now is published. */
export const fromVersion = codec.orNull(versionNumber).default(null);
