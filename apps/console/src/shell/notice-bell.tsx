import BellOutlined from "@ant-design/icons/es/icons/BellOutlined";
import { expireDevice } from "@weft/contract/domains/notifications/notice.ts";
import Badge from "antd/es/badge/Badge";
import { useEffect, useRef, useState } from "react";
import { call } from "#client/call.ts";
import { useMay } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useRendered } from "#client/use-rendered.ts";
import { later } from "#feedback/later.tsx";
import { useToast } from "#feedback/toast.tsx";
import { Popover } from "#ui/overlay/popover.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { type Notices, permittedLists, totalOf } from "./notice.ts";
import { noticeMessages } from "./notice-texts.ts";
import { watchNotices } from "./watch-notices.ts";

// With its tabs: the shell does not wait for what opens where something is due.
const NoticePanel = later(async () => (await import("./notice-panel.tsx")).NoticePanel);

const load = async (signal: AbortSignal): Promise<Notices> =>
  (await call(expireDevice, {}, { signal })).data;

/** Notices of the shell, as long as it is mounted; null until the first come. */
const useNotices = (): Notices | null => {
  const [notices, setNotices] = useState<Notices | null>(null);
  const isDue = useRendered();
  useEffect(() => (isDue ? watchNotices(load, setNotices) : undefined), [isDue]);
  return notices;
};

/**
 * The bell of the header with its panel. On wide screens the panel opens by itself when there is
 * something to show, once for each entry of the shell; it takes no focus.
 */
export function NoticeBell() {
  const t = useTexts(noticeMessages);
  const toast = useToast();
  const may = useMay();
  const notices = useNotices();
  const isNarrow = useNarrow();
  const lists = permittedLists(notices, may);
  const total = totalOf(lists);
  const [isOpen, setOpen] = useState(false);
  const hasOpened = useRef(false);
  useEffect(() => {
    if (total === 0 || isNarrow || hasOpened.current) return;
    hasOpened.current = true;
    // Opened with its content: an empty panel would grow under the pointer. What does not come is asked for by who opens it.
    void NoticePanel.fetch().then(
      () => setOpen(true),
      () => undefined,
    );
  }, [total, isNarrow]);
  const show = (shows: boolean): void => {
    if (!shows) {
      setOpen(false);
      return;
    }
    void NoticePanel.fetch().then(
      () => setOpen(true),
      () => toast.hint(t("page.partNotLoaded")),
    );
  };
  const label = t("notice.bell", { count: total });
  return (
    <Popover
      open={isOpen}
      onOpenChange={show}
      label={label}
      placement="bottomRight"
      // On a phone the bell is mid-window: the panel moves aside until all of it is inside.
      align={{ overflow: { shiftX: true, adjustY: true } }}
      arrow={!isNarrow}
      // Inside is not enough: its edge is that of the window otherwise.
      {...(isNarrow && { styles: { container: { marginInline: 8 } } })}
      // Recreated with each opening: its first tab depends on what there is then.
      destroyOnHidden
      content={<NoticePanel lists={lists} onLeave={() => setOpen(false)} />}
    >
      <button type="button" className="w-icon-button" aria-label={label} title={label}>
        <Badge count={total} size="small" overflowCount={999}>
          <BellOutlined />
        </Badge>
      </button>
    </Popover>
  );
}
