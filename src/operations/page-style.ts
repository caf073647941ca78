/** Colours and letters of the pages for people, light or dark as their browser has it. */
export const PAGE_STYLE = `
*,*::before,*::after{box-sizing:border-box}
:root{color-scheme:light dark;--ink:#24301f;--soft:#566350;--paper:#f4f2ea;--card:#fffefb;--line:#d9d7c9;--leaf:#2d6a3e;--tint:#eaf1e6;--rust:#8f2f1b}
@media (prefers-color-scheme:dark){:root{--ink:#e9ece2;--soft:#b1baa8;--paper:#171b15;--card:#20261d;--line:#3a4235;--leaf:#8fcf9a;--tint:#26332a;--rust:#ffb4a0}}
html{font:100%/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--paper);color:var(--ink);scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.02em}
p,ul,ol,dl{margin:0 0 1rem;max-width:46rem}
a{color:var(--leaf);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--leaf);outline-offset:2px;border-radius:3px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
code{overflow-wrap:anywhere}
.soft{color:var(--soft)}
dt{font-weight:600;overflow-wrap:anywhere}
dd{margin:0 0 .55rem}
`;
