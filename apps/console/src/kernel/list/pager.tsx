import Pagination from "antd/es/pagination";
import { useTexts } from "#client/texts.ts";
import { numberText } from "#ui/number-text.tsx";
import { PageSize } from "#ui/page-size.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { defaultLimit, pageSizes, typedLimit } from "./list-url.ts";
import type { List } from "./use-list.ts";

/** Which rows are shown, the pages, and the page size. */
export function Pager({ list }: { readonly list: List<unknown> }) {
  const t = useTexts();
  const isNarrow = useNarrow();
  const { page, limit, count } = list;
  if (count === null || count === 0) return null;
  // A short table inside a page needs no pages.
  if (list.isEmbedded && count <= defaultLimit) return null;
  // With all rows in sight there is no page to go to and no size to choose.
  const isWhole = count <= limit && limit === defaultLimit;
  const from = Math.min((page - 1) * limit + 1, count);
  const range = { from: numberText(from), to: numberText(Math.min(page * limit, count)) };
  return (
    <div className="w-pager">
      <span className="w-quiet">{t("list.range", { ...range, count: numberText(count) })}</span>
      {!isWhole && (
        <>
          <Pagination
            current={page}
            pageSize={limit}
            total={count}
            showSizeChanger={false}
            simple={isNarrow}
            onChange={list.setPage}
          />
          <PageSize
            sizes={pageSizes}
            size={limit}
            label={t("list.pageSize")}
            nameOf={(size) => t("list.perPage", { size })}
            onChoose={list.setLimit}
            onType={(text) => list.setLimit(typedLimit(text))}
          />
        </>
      )}
    </div>
  );
}
