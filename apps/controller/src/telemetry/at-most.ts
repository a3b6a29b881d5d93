/** A store that has not answered by then counts as one that does not. */
const limitMs = 2_000;

/**
 * The question with a limit of time: null without an answer. A question that is still open is not asked again, so
 * that a store that hangs gets one of them and not one per scrape.
 */
export function atMost<T>(question: () => Promise<T>): () => Promise<T | null> {
  let open: Promise<T | null> | null = null;
  return async () => {
    open ??= question()
      .catch(() => null)
      .finally(() => {
        open = null;
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, limitMs, null);
    });
    return Promise.race([open, late]).finally(() => clearTimeout(timer));
  };
}
