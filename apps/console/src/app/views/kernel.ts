import type { Load } from "./view.ts";

/** No screen of the product: what screens are made of, for those who make some. */
export const kernelView: Load = () => import("#app/kernel-show/kernel-page.tsx");
