/** Bytes of the largest file that is sent. */
export const maxBytes = 10 * 1024 * 1024;
/** Ms that the service has for its answer. */
export const patienceMs = 60_000;

/** Why a file did not arrive; `reason` is the service's own text. */
export type ImportFault =
  | { readonly why: "empty" | "tooLarge" | "timeout" | "unreachable" | "unreadable" }
  | { readonly why: "status"; readonly status: number }
  | { readonly why: "refused"; readonly reason: string };

/** Characters of a foreign message that are shown. */
const maxTextLength = 200;

/** What the service's answer means: the envelope of specification section 7, code 0 for success. */
async function faultOf(response: Response): Promise<ImportFault | null> {
  const body: unknown = await response.json().catch(() => null);
  const { code, msg } = (typeof body === "object" && body !== null ? body : {}) as {
    code?: unknown;
    msg?: unknown;
  };
  if (typeof code === "number" && code !== 0) {
    return { why: "refused", reason: typeof msg === "string" ? msg.slice(0, maxTextLength) : "" };
  }
  if (!response.ok) return { why: "status", status: response.status };
  return code === 0 ? null : { why: "unreadable" };
}

/**
 * Sends a protocol file to the service of another operator (specification section 7.3). Nothing of
 * the session goes with it: no token, no cookie, no address of the page; a redirect is not followed,
 * because the file would go to an address that is not configured. The service allows this site by CORS; the
 * request is a simple one, which asks for no permission before.
 * @returns null: it took the file.
 */
export async function sendProtocolFile(url: string, file: File): Promise<ImportFault | null> {
  if (file.size === 0) return { why: "empty" };
  if (file.size > maxBytes) return { why: "tooLarge" };
  const body = new FormData();
  body.append("file", file, file.name);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      mode: "cors",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs),
    });
    return await faultOf(response);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    return { why: isLate ? "timeout" : "unreachable" };
  }
}
