import type { expireDevice } from "@weft/contract/domains/notifications/notice.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { paths, withSearch } from "#client/paths.ts";

export type Notices = OutputOf<typeof expireDevice>;

/** Time between two fetches, in ms (section 7.1). */
export const noticeEvery = 1_800_000;
/** Items that a tab lists at most; its total counts all (section 2.6). */
export const noticeCap = 10;

export const noticeTabs = ["cpe", "pop", "client"] as const;
export type NoticeTab = (typeof noticeTabs)[number];

const codes: Readonly<Record<NoticeTab, Permission>> = {
  cpe: "cpeAlarmMsg",
  pop: "popAlarmMsg",
  client: "clientAlarmMsg",
};
const lists: Readonly<Record<NoticeTab, string>> = {
  cpe: paths.cpe(),
  pop: paths.pop(),
  client: paths.account(),
};

/** One thing that is due. */
export interface NoticeItem {
  readonly id: number;
  readonly name: string;
  readonly at: Date;
}

/** A tab of the panel with everything that is in it. */
export interface NoticeList {
  readonly tab: NoticeTab;
  readonly items: readonly NoticeItem[];
}

const itemsOf = (notices: Notices, tab: NoticeTab): NoticeItem[] => {
  switch (tab) {
    case "cpe":
      return notices.cpeList.map(({ id, alias, expireTime }) => ({
        id,
        name: alias,
        at: expireTime,
      }));
    case "pop":
      return notices.popList.map(({ id, name, expireTime }) => ({ id, name, at: expireTime }));
    case "client":
      return notices.clientList.map(({ id, alias, account }) => ({
        id,
        name: alias,
        at: account.expire,
      }));
  }
};

/** The tabs that a person may see, in their order; the others count nowhere. */
export const permittedLists = (
  notices: Notices | null,
  may: (code: Permission) => boolean,
): NoticeList[] =>
  noticeTabs
    .filter((tab) => may(codes[tab]))
    .map((tab) => ({ tab, items: notices ? itemsOf(notices, tab) : [] }));

export const totalOf = (shown: readonly NoticeList[]): number =>
  shown.reduce((sum, { items }) => sum + items.length, 0);

/** The tab that opens first: the first that has items, else the first that is there. */
export const openingTab = (shown: readonly NoticeList[]): NoticeTab | null =>
  (shown.find(({ items }) => items.length > 0) ?? shown[0])?.tab ?? null;

export const isPast = (at: Date, now = new Date()): boolean => at.getTime() <= now.getTime();

/** Fields of the lists that a name filters by. */
const nameFields: Readonly<Record<NoticeTab, string>> = {
  cpe: "alias",
  pop: "name",
  client: "alias",
};

/**
 * The list with only this one in it. In `key` 4 and 5 are states: a name like these is asked for as
 * a name.
 */
export const itemLink = (tab: NoticeTab, name: string): string =>
  withSearch(lists[tab], { [/^[45]$/.test(name) ? nameFields[tab] : "key"]: name });

/** The list with what is about to expire (4) or expired (5). */
export const stateLink = (tab: NoticeTab, state: 4 | 5): string =>
  withSearch(lists[tab], { key: state });
