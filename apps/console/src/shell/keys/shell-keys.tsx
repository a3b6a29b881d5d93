import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { useCurrentLanguage } from "#client/language.ts";
import { useMay, useSession } from "#client/session.tsx";
import { later, OpenedLater } from "#feedback/later.tsx";
import { shownMenus } from "#shell/menu-tree.ts";
import { screensOf } from "#shell/palette/screens.ts";
import { useKeys } from "#ui/keys/use-keys.ts";
import { type GoPage, goPages } from "./go-pages.ts";
import { showKeys, useKeysShown } from "./keys-shown.ts";

const KeysDialog = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);

const useGoPages = (home: string): GoPage[] => {
  const { menus } = useSession();
  const language = useCurrentLanguage();
  const may = useMay();
  const screens = screensOf(shownMenus(menus), { language, may, go: () => undefined });
  const offered = new Set(screens.map(({ id }) => id.slice("screen:".length)));
  return goPages(menus, { language, home, offered });
};

interface Props {
  /** Path of the first screen. */
  readonly home: string;
  /** Called when the user asks for a refresh. */
  onRefresh(): void;
}

/** The keys of the frame, and the table of all keys. */
export function ShellKeys({ home, onRefresh }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const pages = useGoPages(home);
  const isOpen = useKeysShown();
  useKeys({
    go: (key) => {
      const page = pages.find((goPage) => goPage.key === key);
      if (page) void navigate(page.path);
      return page !== undefined;
    },
    goTo: (path) => void navigate(path),
    refresh: () => {
      void client.invalidateQueries();
      onRefresh();
    },
    help: () => showKeys(true),
  });
  return (
    <OpenedLater open={isOpen} onClose={() => showKeys(false)}>
      <KeysDialog open={isOpen} onClose={() => showKeys(false)} pages={pages} />
    </OpenedLater>
  );
}
