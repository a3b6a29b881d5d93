import { defineMessages } from "@weft/contract/kernel/message.ts";
import { Link } from "react-router";
import { useTexts } from "#client/texts.ts";
import { PageHead } from "#ui/page-head.tsx";
import { Appearance } from "./appearance.tsx";

const entryMessages = defineMessages({
  "visitor.title": ["模板管理", "Template management"],
  "visitor.what": [
    "未登录：登录后可以查看和发布模板",
    "Not logged in: log in to see and publish templates",
  ],
  "visitor.logIn": ["登录", "Log in"],
});

/**
 * Template management without any token: the empty screen. The authorities of no session are empty, so
 * there is no list to ask for and nothing to do but to log in.
 */
export function VisitorPage() {
  const t = useTexts(entryMessages);
  return (
    <Appearance>
      <main className="w-content">
        <div className="w-page">
          <PageHead title={t("visitor.title")} />
          <div className="w-empty">
            <p>{t("visitor.what")}</p>
            <Link className="w-button" to="/login">
              {t("visitor.logIn")}
            </Link>
          </div>
        </div>
      </main>
    </Appearance>
  );
}
