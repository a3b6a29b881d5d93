import type { Grant } from "@weft/contract/access.ts";
import { grantText } from "@weft/contract/grants.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import { useEffect } from "react";
import { Link, useRouteError } from "react-router";
import { CallError } from "#client/call.ts";
import type { Session } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { asChunkError, ChunkLoadError } from "./load-view.ts";

interface Props {
  readonly code: string;
  readonly title: string;
  readonly what: string;
  readonly requestId?: string | null;
  /** Ways on: the first page, the same page once more. */
  readonly ways: readonly ("home" | "reload")[];
}

/** A page in place of a screen: what happened, and the way on. */
function StatePage({ code, title, what, requestId, ways }: Props) {
  const t = useTexts();
  return (
    <section className="w-state-page">
      <p className="w-state-code">{code}</p>
      <h1>{title}</h1>
      <p className="w-quiet">{what}</p>
      {requestId && <p className="w-quiet w-mono">{t("call.requestId", { id: requestId })}</p>}
      <p className="w-state-ways">
        {ways.map((way) =>
          way === "home" ? (
            <Link key={way} className="w-button" to="/">
              {t("page.home")}
            </Link>
          ) : (
            <button key={way} type="button" className="w-button" onClick={() => location.reload()}>
              {t("page.reload")}
            </button>
          ),
        )}
      </p>
    </section>
  );
}

/** Absent, or out of the caller's scope: the answer is the same. */
export function NotFoundPage() {
  const t = useTexts();
  const what = t("page.notFoundWhat");
  return <StatePage code="404" title={t("page.notFound")} what={what} ways={["home"]} />;
}

/** A screen that asks for a permission which is missing; it says which. null: it is not known. */
export function ForbiddenPage({ may = null }: { readonly may?: Needed | null }) {
  const t = useTexts();
  const name = typeof may === "string" && formatMessage(grantText(may as Grant), t.language);
  const what = name ? t("page.forbiddenWhich", { name }) : t("page.forbiddenWhat");
  return <StatePage code="403" title={t("page.forbidden")} what={what} ways={["home"]} />;
}

export function ServerErrorPage() {
  const t = useTexts();
  const what = t("page.serverErrorWhat");
  return (
    <StatePage code="500" title={t("page.serverError")} what={what} ways={["home", "reload"]} />
  );
}

/** A person without a role (any more), or whose roles give nothing. */
export function NoMenusPage({ roles }: Pick<Session, "roles">) {
  const t = useTexts();
  const [title, what] =
    roles.length === 0
      ? [t("page.noRole"), t("page.noRoleWhat")]
      : [t("page.noGrants"), t("page.noGrantsWhat")];
  return <StatePage code="403" title={title} what={what} ways={["reload"]} />;
}

/** Where a screen broke: forbidden, its files did not come, or a bug. */
export function BrokenPage() {
  const t = useTexts();
  const error = asChunkError(useRouteError());
  useEffect(() => console.error(error), [error]);
  if (error instanceof CallError && error.code === 403) {
    const what = error.message;
    return <StatePage code="403" title={t("page.forbidden")} what={what} ways={["home"]} />;
  }
  // An update took the part away that an older page names, or the network did (section 8).
  if (error instanceof ChunkLoadError) {
    const what = t("page.notLoadedWhat");
    return (
      <StatePage code={error.name} title={t("page.notLoaded")} what={what} ways={["reload"]} />
    );
  }
  return (
    <StatePage
      code="500"
      title={t("page.broken")}
      what={t("page.brokenWhat")}
      requestId={error instanceof CallError ? error.requestId : null}
      ways={["home", "reload"]}
    />
  );
}
