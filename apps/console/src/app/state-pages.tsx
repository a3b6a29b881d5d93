import { useEffect } from "react";
import { Link, useRouteError } from "react-router";
import { CallError } from "#kernel/call.ts";
import { useTexts } from "#kernel/texts.ts";

interface Props {
  readonly code: string;
  readonly title: string;
  readonly what: string;
  readonly requestId?: string | null;
  readonly action: "home" | "reload";
}

/** A page in place of a screen: what happened, and the way on. */
function StatePage({ code, title, what, requestId, action }: Props) {
  const t = useTexts();
  return (
    <main className="w-state-page">
      <p className="w-state-code">{code}</p>
      <h1>{title}</h1>
      <p className="w-quiet">{what}</p>
      {requestId && <p className="w-quiet w-mono">{t("call.requestId", { id: requestId })}</p>}
      {action === "home" ? (
        <Link className="w-button" to="/">
          {t("page.home")}
        </Link>
      ) : (
        <button type="button" className="w-button" onClick={() => location.reload()}>
          {t("page.reload")}
        </button>
      )}
    </main>
  );
}

/** Not there, or not yours: the answer is the same. */
export function NotFoundPage() {
  const t = useTexts();
  return (
    <StatePage code="404" title={t("page.notFound")} what={t("page.notFoundWhat")} action="home" />
  );
}

/** A person whose roles show nothing. */
export function NoMenusPage() {
  const t = useTexts();
  return (
    <StatePage
      code="403"
      title={t("page.forbidden")}
      what={t("page.forbiddenWhat")}
      action="reload"
    />
  );
}

/** A part of the console that an older page names is gone after an update (section 8). */
const isOldRelease = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "ChunkLoadError" ||
    /dynamically imported module|Importing a module script|preload CSS/i.test(error.message));

/** Where a screen broke: forbidden, an update meanwhile, or a bug. */
export function BrokenPage() {
  const t = useTexts();
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  if (error instanceof CallError && error.code === 403) {
    return <StatePage code="403" title={t("page.forbidden")} what={error.message} action="home" />;
  }
  if (isOldRelease(error)) {
    return <StatePage code="↻" title={t("page.newRelease")} what="" action="reload" />;
  }
  return (
    <StatePage
      code="500"
      title={t("page.broken")}
      what={t("page.brokenWhat")}
      requestId={error instanceof CallError ? error.requestId : null}
      action="reload"
    />
  );
}
