import type { Page } from "playwright-core";

/**
 * Waits by a timer of the page: what the page had planned for an earlier moment has happened then, however busy the
 * machine is. A pause outside of the page may end before that.
 */
export const pageTime = (page: Page, ms: number): Promise<void> =>
  page.evaluate(
    (pause) =>
      new Promise<void>((resolve) => {
        setTimeout(resolve, pause);
      }),
    ms,
  );
