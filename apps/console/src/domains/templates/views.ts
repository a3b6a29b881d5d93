import { type FirstCallsByView, listCall, type Views } from "#kernel/view.ts";

/** Screens of this domain, by the view key of the menu. */
export const views = {
  RouterTemplate: () => import("./router-template/router-template-page.tsx"),
  TemplateSection: () => import("./router-template/template-section-page.tsx"),
  TemplateAdd: () => import("./router-template/template-add-page.tsx"),
} satisfies Views;

/** What each asks for first. */
export const firstCalls = {
  RouterTemplate: listCall("/customer/routerTemplate/list", {}, "size"),
} satisfies FirstCallsByView;
