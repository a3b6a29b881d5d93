import {
  type ObjectChange,
  type ObjectDifference,
  stateDifference,
} from "@weft/contract/domains/delivery/history.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import styles from "./difference-drawer.module.css";
import {
  fieldText,
  type HistoryTexts,
  objectText,
  sectionText,
  useHistoryTexts,
  valueText,
} from "./history-texts.ts";
import type { NodeCard } from "./node-card.ts";
import { serialText } from "./node-texts.ts";

/** Which two states: null for `from` is what runs, null for `to` what is not sent yet. */
export interface Pair {
  readonly from: number | null;
  readonly to: number | null;
}

interface Props {
  readonly node: NodeCard;
  /** Null: closed. */
  readonly pair: Pair | null;
  readonly onClose: () => void;
}

/** What lies between two states of a node, section by section. */
export function DifferenceDrawer({ node, pair, onClose }: Props) {
  const t = useHistoryTexts();
  const asked = useCall(stateDifference, pair && { id: node.id, ...pair });
  const { data } = asked;
  const title = t("difference.title", {
    name: node.name,
    from: data && data.from === null ? t("difference.nothing") : serialText(data?.from ?? null),
    to: pair?.to == null ? t("difference.present") : serialText(pair.to),
  });
  return (
    <Drawer open={pair !== null} size={720} title={title} onClose={onClose}>
      {data ? (
        <Sections objects={data.objects} count={data.count} isPending={data.to === null} t={t} />
      ) : asked.error ? (
        <Failed error={asked.error} retry={asked.refetch} />
      ) : (
        <Loading rows={4} />
      )}
    </Drawer>
  );
}

function Sections(props: {
  readonly objects: readonly ObjectDifference[];
  readonly count: number;
  readonly isPending: boolean;
  readonly t: HistoryTexts;
}) {
  const { objects, count, isPending, t } = props;
  if (objects.length === 0) {
    const text = t(isPending ? "difference.nonePending" : "difference.none");
    return <EmptyState kind="good" text={text} />;
  }
  return (
    <>
      {count > objects.length && (
        <p className="w-quiet">{t("difference.cut", { count, shown: objects.length })}</p>
      )}
      {[...Map.groupBy(objects, (one) => sectionText(one, t))].map(([section, inside]) => (
        <section key={section} className={styles.section}>
          <h3>{section}</h3>
          <ul className={styles.objects}>
            {inside.map((one) => (
              <ObjectRow key={`${one.kind} ${one.key}`} one={one} t={t} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

/** Shape first, colour second: a grey print still reads. */
const icons: Readonly<Record<ObjectChange, string>> = { added: "+", removed: "−", changed: "~" };

function ObjectRow({ one, t }: { readonly one: ObjectDifference; readonly t: HistoryTexts }) {
  return (
    <li className={styles.object} data-change={one.change}>
      <span className={styles.sign} aria-hidden="true">
        {icons[one.change]}
      </span>
      <div>
        <div className={styles.head}>
          <span className="w-name">{objectText(one, t)}</span>
          <span className="w-quiet">{t(`difference.${one.change}`)}</span>
        </div>
        {one.fields.length > 0 && (
          <dl className={styles.fields}>
            {one.fields.map(({ field, old, new: now }) => (
              <FieldRow
                key={field}
                name={fieldText(field, t)}
                old={valueText(old, t)}
                now={valueText(now, t)}
              />
            ))}
          </dl>
        )}
      </div>
    </li>
  );
}

function FieldRow(props: {
  readonly name: string;
  readonly old: string | null;
  readonly now: string | null;
}) {
  const { name, old, now } = props;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {old !== null && <del>{old}</del>}
        {old !== null && now !== null && " → "}
        {now !== null && <ins>{now}</ins>}
        {old === null && now === null && "—"}
      </dd>
    </>
  );
}
