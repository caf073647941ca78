/** The style of the guide: the palette of the other pages, a table of contents beside the text where there is room. */
export const GUIDE_STYLE = `
*,*::before,*::after{box-sizing:border-box}
:root{color-scheme:light dark;--ink:#24301f;--soft:#566350;--paper:#f4f2ea;--card:#fffefb;--line:#d9d7c9;--leaf:#2d6a3e;--tint:#eaf1e6;--rust:#8f2f1b}
@media (prefers-color-scheme:dark){:root{--ink:#e9ece2;--soft:#b1baa8;--paper:#171b15;--card:#20261d;--line:#3a4235;--leaf:#8fcf9a;--tint:#26332a;--rust:#ffb4a0}}
html{font:100%/1.6 ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--paper);color:var(--ink);scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:76rem;padding:1.5rem 1rem 4rem}
@media (min-width:64rem){body{display:grid;grid-template-columns:17rem minmax(0,1fr);column-gap:3rem;padding:2rem 2rem 6rem}header{grid-column:1/-1}nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto}}
h1{font-size:2rem;line-height:1.2;margin:0 0 .5rem;letter-spacing:-.02em}
h2{font-size:1.5rem;line-height:1.25;margin:3rem 0 .75rem;padding-top:1.5rem;border-top:1px solid var(--line)}
main>section:first-child h2{margin-top:0;padding-top:0;border:0}
h3{font-size:1.1rem;margin:2rem 0 .5rem;overflow-wrap:anywhere}
h4{font-size:.95rem;margin:1.25rem 0 .35rem;color:var(--soft)}
p,ul,ol,dl{margin:0 0 1rem;max-width:46rem}
a{color:var(--leaf);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--leaf);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
nav ul{list-style:none;padding:0;font-size:.95rem}
nav li ul{padding-left:1rem;margin:.15rem 0 .5rem}
nav li{margin:.2rem 0}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
code{overflow-wrap:anywhere}
pre{background:var(--card);border:1px solid var(--line);border-radius:9px;padding:.85rem 1rem;margin:0 0 1rem;white-space:pre-wrap;overflow-wrap:anywhere;line-height:1.5;font-size:.85rem}
article{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.25rem;margin:0 0 1rem;min-width:0}
article pre{background:var(--paper)}
article h3{margin-top:0}
.method{display:inline-block;min-width:3.6em;font-weight:700;color:var(--leaf)}
.soft{color:var(--soft)}
.old{color:var(--rust)}
dt{font-weight:600;overflow-wrap:anywhere}
dt .soft{font-weight:400}
dd{margin:0 0 .55rem}
dd p{margin:0}
summary{cursor:pointer;color:var(--leaf);padding:.2rem 0}
@media print{nav{display:none}details::details-content{content-visibility:visible}}
`;
