import Tabs from "antd/es/tabs";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { StatusGlyph } from "#ui/glyph.tsx";
import { stampText } from "#ui/time-text.tsx";
import {
  isPast,
  itemLink,
  type NoticeItem,
  type NoticeList,
  type NoticeTab,
  noticeCap,
  openingTab,
  stateLink,
} from "./notice.ts";
import styles from "./notice-panel.module.css";
import { noticeMessages } from "./notice-texts.ts";

interface Props {
  readonly lists: readonly NoticeList[];
  /** Called when the user follows a link. */
  onLeave(): void;
}

/** What is due soon or expired, by kind; at most ten of each (section 2.6). */
export function NoticePanel({ lists, onLeave }: Props) {
  const t = useTexts(noticeMessages);
  const opening = openingTab(lists);
  if (opening === null) return <p className="w-empty">{t("notice.none")}</p>;
  return (
    <div className={styles.panel}>
      <Tabs
        defaultActiveKey={opening}
        items={lists.map(({ tab, items }) => ({
          key: tab,
          label: `${t(`notice.${tab}`)} ${items.length}`,
          children: <Items tab={tab} items={items} onLeave={onLeave} />,
        }))}
      />
      <Link className={styles.more} to={paths.userMessage()} onClick={onLeave}>
        {t("notice.more")}
      </Link>
    </div>
  );
}

interface ItemsProps {
  readonly tab: NoticeTab;
  readonly items: readonly NoticeItem[];
  onLeave(): void;
}

function Items({ tab, items, onLeave }: ItemsProps) {
  const t = useTexts(noticeMessages);
  if (items.length === 0) return <p className={styles.none}>{t("notice.noneHere")}</p>;
  return (
    <>
      <ul className={styles.items}>
        {items.slice(0, noticeCap).map((item) => (
          <Item key={item.id} tab={tab} item={item} onLeave={onLeave} />
        ))}
      </ul>
      <p className={styles.foot}>
        {items.length > noticeCap && t("notice.first", { shown: noticeCap, total: items.length })}
        <Link to={stateLink(tab, 4)} onClick={onLeave}>
          {t("notice.dueSoon")}
        </Link>
        <Link to={stateLink(tab, 5)} onClick={onLeave}>
          {t("notice.allExpired")}
        </Link>
      </p>
    </>
  );
}

function Item({ tab, item, onLeave }: Omit<ItemsProps, "items"> & { readonly item: NoticeItem }) {
  const t = useTexts(noticeMessages);
  const past = isPast(item.at);
  return (
    <li>
      <StatusGlyph glyph={past ? "bad" : "warn"} />
      <Link className="w-cut" to={itemLink(tab, item.name)} onClick={onLeave}>
        {item.name}
      </Link>
      <span className={past ? styles.past : styles.due}>
        {t(past ? "notice.expired" : "notice.dueDate")} {stampText(item.at).slice(0, 10)}
      </span>
    </li>
  );
}
