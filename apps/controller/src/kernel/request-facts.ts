import { defaultLanguage, type Language } from "@weft/contract/kernel/message.ts";
import type { FastifyRequest } from "fastify";
import type { RequestFacts } from "./api.ts";

const maxAgent = 256;

/** What a handler may know of a request besides its input. */
export const requestFacts = (request: FastifyRequest): RequestFacts => ({
  address: request.ip,
  userAgent: (request.headers["user-agent"] ?? "").slice(0, maxAgent),
  host: request.host,
  language: languageOf(request.headers["accept-language"]),
  requestId: request.id,
  ifMatch: request.headers["if-match"] ?? null,
});

/** The reader's language: the first of the header that we speak, weights included (RFC 9110). */
export function languageOf(header: string | undefined): Language {
  const wanted = (header ?? "")
    .split(",")
    .map((part) => {
      const [tag = "", ...params] = part.trim().toLowerCase().split(";");
      const weight = params.map((param) => /^\s*q=([\d.]+)/.exec(param)?.[1]).find(Boolean);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    if (/^zh(?:[-_]|$)/.test(tag)) return "zh_cn";
    if (/^en(?:[-_]|$)/.test(tag)) return "en_gb";
  }
  return defaultLanguage;
}

/**
 * The session token of a request: the query parameter `token`, else the header Authorization,
 * bare or with the scheme Bearer. Null when there is none.
 */
export function tokenOf(request: FastifyRequest): string | null {
  const mark = request.url.indexOf("?");
  const inQuery = mark < 0 ? [] : new URLSearchParams(request.url.slice(mark + 1)).getAll("token");
  const header = request.headers.authorization?.replace(/^Bearer +/i, "").trim();
  return inQuery.find((token) => token !== "") ?? (header || null);
}
