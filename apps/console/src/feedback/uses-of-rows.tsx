import type { Use } from "@weft/contract/domains/access/uses.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";

/** Texts of what still uses rows that are to be removed. */
const usesMessages = defineMessages({
  "uses.title": [
    "不能删除：以下 {count} 项仍在使用，先删除它们或解除引用。",
    "Cannot be deleted: {count|object still uses it|objects still use it}. Delete or change them first.",
  ],
  "uses.row": ["{title}“{name}”", "{title} “{name}”"],
  "uses.more": ["另有 {count} 项未列出", "{count} more are not listed"],
});

/** Lists that have the rows of a resource, where a row has no page of its own. */
const lists: Readonly<Record<string, () => string>> = {
  netSpace: paths.netSpace,
  ipgroup: () => paths.objectGroups("ip"),
  urlgroup: () => paths.objectGroups("url"),
  xwanCircuit: paths.circuits,
  user: paths.user,
  role: paths.role,
  alarmStrategy: paths.warningPolicy,
  vbrNode: paths.cloud,
  comAudit: paths.companyAudit,
};

/** The page of a row that uses another; null: it has none. */
export function pathOfUse({ resource, id, nodeId, templateId }: Use): string | null {
  if (templateId !== null) return paths.templateSection(templateId);
  if (nodeId !== null) return paths.cpeSet(nodeId);
  if (resource === "enterprise") return paths.enterprisePage(id);
  if (resource === "cpe") return paths.cpeSet(id);
  if (resource === "pop") return paths.popSet(id);
  return lists[resource]?.() ?? null;
}

interface Props {
  readonly count: number;
  readonly uses: readonly Use[];
  readonly linkOf: (use: Use) => string | null;
  /** A link was followed. */
  readonly onLeave: () => void;
}

/** All that still uses what is to be removed, each with its page. */
export function UsesOfRows({ count, uses, linkOf, onLeave }: Props) {
  const t = useTexts(usesMessages);
  return (
    <>
      <p>{t("uses.title", { count })}</p>
      <ul>
        {uses.map((use) => {
          const title = use.title[t.language === "zh_cn" ? 0 : 1];
          const text = use.name === "" ? title : t("uses.row", { title, name: use.name });
          const path = linkOf(use);
          return (
            <li key={`${use.resource} ${use.id}`}>
              {path === null ? (
                text
              ) : (
                <Link className="w-link" to={path} onClick={onLeave}>
                  {text}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {count > uses.length && <p>{t("uses.more", { count: count - uses.length })}</p>}
    </>
  );
}
