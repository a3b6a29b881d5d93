import type { Expiring } from "@weft/contract/domains/monitoring/expiring.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { EmptyState } from "#feedback/empty-state.tsx";
import { Card } from "#ui/card.tsx";
import { StateText } from "#ui/glyph.tsx";
import { Rows } from "#ui/rows.tsx";
import { TimeText } from "#ui/time-text.tsx";
import styles from "./expiring-card.module.css";

const expiringMessages = defineMessages({
  "expiring.title": ["即将到期", "Due soon"],
  "expiring.titleWithEnded": ["即将到期和已到期", "Due soon or expired"],
  "expiring.none": ["近期没有到期", "Nothing expires soon"],
  "expiring.kind.cpe": ["CPE", "CPE"],
  "expiring.kind.pop": ["POP", "POP"],
  "expiring.kind.account": ["终端账号", "Terminal account"],
  "expiring.kind.circuit": ["专线", "Circuit"],
  "expiring.kind.enterprise": ["企业", "Enterprise"],
});

const pathOf = {
  cpe: ({ id }: Expiring) => paths.cpeDetail(id),
  pop: ({ id }: Expiring) => paths.popDetail(id),
  account: ({ id }: Expiring) => paths.accountReport(id),
  circuit: ({ name }: Expiring) => withSearch(paths.circuits(), { name }),
  enterprise: ({ id }: Expiring) => paths.enterprisePage(id),
} as const satisfies Record<Expiring["kind"], (row: Expiring) => string>;

interface Props {
  readonly rows: readonly Expiring[];
  /** What has ended is among them. */
  readonly withEnded?: boolean;
}

/** What ends within the days that the reader's enterprise calls soon. */
export function ExpiringCard({ rows, withEnded = false }: Props) {
  const t = useTexts(expiringMessages);
  return (
    <Card title={t(withEnded ? "expiring.titleWithEnded" : "expiring.title")}>
      {rows.length === 0 ? (
        <EmptyState kind="good" text={t("expiring.none")} />
      ) : (
        <Rows>
          {rows.map((row) => (
            <li key={`${row.kind}-${row.id}`}>
              <StateText
                glyph={row.expireTime.getTime() < Date.now() ? "bad" : "warn"}
                label={t(`expiring.kind.${row.kind}`)}
              />
              <Link className={`w-link ${styles.name}`} to={pathOf[row.kind](row)}>
                {row.name}
              </Link>
              <TimeText value={row.expireTime} form="stamp" />
            </li>
          ))}
        </Rows>
      )}
    </Card>
  );
}
