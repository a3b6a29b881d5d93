import multipart from "@fastify/multipart";
import type { FastifyInstance } from "fastify";

/** Bytes of a whole request; an id list of ten thousand fits many times. */
export const bodyLimit = 1_048_576;
const fieldLimit = 262_144;
const maxFields = 500;

/** Form-data (section 7), urlencoded and JSON bodies; everything else is refused. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeContentTypeParser("text/plain");
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: bodyLimit },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  await app.register(multipart, {
    limits: {
      fieldNameSize: 100,
      fieldSize: fieldLimit,
      fields: maxFields,
      parts: maxFields,
      files: 1,
      headerPairs: 20,
    },
    throwFileSizeLimit: false,
  });
}
