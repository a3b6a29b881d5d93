import { afterEach, describe, expect, it, vi } from "vitest";
import { asChunkError, ChunkLoadError, loadView, viewTimeout } from "./load-view.ts";

const Screen = () => null;
const failing = (message: string) => () => Promise.reject(new TypeError(message));
const failure = (load: Parameters<typeof loadView>[0]): Promise<unknown> =>
  loadView(load).then(
    () => null,
    (error: unknown) => error,
  );

afterEach(() => void vi.useRealTimers());

describe("a screen whose file does not come", () => {
  it.each([
    "Failed to fetch dynamically imported module: http://x/assets/a.js",
    "error loading dynamically imported module: http://x/assets/a.js",
    "Importing a module script failed.",
  ])("B-8-10: fails with ChunkLoadError (%s)", async (message) => {
    expect(await failure(failing(message))).toMatchObject({ name: "ChunkLoadError", code: null });
  });

  it("B-8-11: has the code CSS_CHUNK_LOAD_FAILED when it is the stylesheet", async () => {
    const error = await failure(failing("Unable to preload CSS for /assets/a.css"));
    expect(error).toMatchObject({ name: "ChunkLoadError", code: "CSS_CHUNK_LOAD_FAILED" });
  });

  it("B-7.4-15: fails after 120 s, and not before", async () => {
    vi.useFakeTimers();
    let error: unknown = null;
    void loadView(() => new Promise(() => undefined)).catch((thrown: unknown) => {
      error = thrown;
    });
    await vi.advanceTimersByTimeAsync(viewTimeout - 1);
    expect([viewTimeout, error]).toEqual([120_000, null]);
    await vi.advanceTimersByTimeAsync(1);
    expect(error).toBeInstanceOf(ChunkLoadError);
    expect((error as Error).message).toContain("120000");
  });

  it("is fetched again on the next request", async () => {
    let tries = 0;
    const load = () => {
      tries += 1;
      if (tries === 1) return failing("Importing a module script failed.")();
      return Promise.resolve({ default: Screen });
    };
    expect(await failure(load)).toBeInstanceOf(ChunkLoadError);
    expect(await loadView(load)).toEqual({ default: Screen });
  });
});

it("a screen's own bug stays what it is", () => {
  const bug = new TypeError("x is not a function");
  expect(asChunkError(bug)).toBe(bug);
});
