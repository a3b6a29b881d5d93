import type { Load } from "#kernel/view.ts";

/** A part of the console that does not arrive within this time has failed, in ms (section 7.4). */
export const viewTimeout = 120_000;

/** A page whose files could not be loaded. Names and code are those of section 8. */
export class ChunkLoadError extends Error {
  override readonly name = "ChunkLoadError";
  /** `CSS_CHUNK_LOAD_FAILED` for the style sheet. */
  readonly code: string | null;

  constructor(message: string, code: string | null, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : "");

/** Browsers' messages for a file that could not be loaded; any other error is a bug of the page. */
export const asChunkError = (error: unknown): unknown => {
  const message = messageOf(error);
  if (/preload CSS/i.test(message)) {
    return new ChunkLoadError(message, "CSS_CHUNK_LOAD_FAILED", error);
  }
  return /dynamically imported module|importing a module script/i.test(message)
    ? new ChunkLoadError(message, null, error)
    : error;
};

/**
 * Loads a page.
 * @throws ChunkLoadError when its files cannot be loaded in time; another call loads them again.
 */
export const loadView = async (load: Load): ReturnType<Load> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new ChunkLoadError(`no answer within ${viewTimeout} ms`, null)),
    viewTimeout,
  );
  try {
    return await Promise.race([load(), late.promise]);
  } catch (error) {
    throw asChunkError(error);
  } finally {
    clearTimeout(timer);
  }
};
