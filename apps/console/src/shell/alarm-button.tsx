import AlertOutlined from "@ant-design/icons/es/icons/AlertOutlined";
import Badge from "antd/es/badge";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { useNarrow } from "#ui/use-narrow.ts";
import { useAlarmCounts } from "./alarm-counts.ts";
import { countText } from "./menu-items.tsx";
import { shellMessages } from "./messages.ts";

/** The tool of the header that counts alarms which no one has acknowledged, and leads to them. */
export function AlarmButton() {
  const t = useTexts(shellMessages);
  const counts = useAlarmCounts();
  const isNarrow = useNarrow();
  if (!counts) return null;
  const { waiting, levels } = counts;
  const label =
    waiting === 0
      ? t("shell.alarmsNone")
      : t("shell.alarms", {
          // Who uses voice control says what is seen (WCAG 2.5.3).
          count: countText(waiting),
          counts: t.list(
            levels.map((level) => `${t.code("alarmLevel", level.level)} ${level.waiting}`),
          ),
        });
  return (
    <Link
      className="w-icon-button"
      aria-label={label}
      title={label}
      to={withSearch(paths.alarms(), { handled: 0 })}
    >
      {isNarrow ? (
        <Badge dot={waiting > 0}>
          <AlertOutlined />
        </Badge>
      ) : (
        <>
          <AlertOutlined />
          {waiting > 0 && <span className="w-alarm-count">{countText(waiting)}</span>}
        </>
      )}
    </Link>
  );
}
