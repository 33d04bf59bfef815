// The page around the charts: one column on a phone, two on a desk, plain black on white in print.
#include "tools/views/html/html.h"

namespace gpumodel::cli::page {

std::string page_style() {
    return R"css(
:root{--page:#f4f6f8;--shade:#f0f3f6;--accent:#0b62a8}
@media screen and (prefers-color-scheme:dark){:root{--page:#0d1014;--shade:#1c2128;--accent:#6cb6ff}}
@media screen{:root[data-theme=light]{--page:#f4f6f8;--shade:#f0f3f6;--accent:#0b62a8}
:root[data-theme=dark]{--page:#0d1014;--shade:#1c2128;--accent:#6cb6ff}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:1240px;padding:24px 20px 40px;background:var(--page);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}
header{position:relative;padding:0 4px}
.brand{margin:0;color:var(--dim);font-size:13px;letter-spacing:.04em}
h1{margin:2px 0 0;font-size:28px;line-height:1.2;overflow-wrap:anywhere}
.subtitle{margin:4px 0 0;color:var(--dim);overflow-wrap:anywhere}
h2{margin:0 0 12px;font-size:17px}
h3{margin:18px 0 6px;font-size:14px}
p{margin:0 0 10px}
a{color:var(--accent)}
.chips{display:flex;flex-wrap:wrap;gap:6px;margin:12px 0 0;padding:0;list-style:none}
.chips li{padding:1px 9px;border:1px solid var(--grid);border-radius:99px;background:var(--paper);font-size:13px;
overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;margin:14px 0 0;padding:0;list-style:none;font-size:14px}
nav a{text-decoration:none}nav a:hover{text-decoration:underline}
.theme{position:absolute;top:0;right:4px;padding:4px 12px;border:1px solid var(--grid);border-radius:99px;
background:var(--paper);color:var(--ink);font:inherit;font-size:13px;cursor:pointer}
main{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:16px;margin-top:18px;align-items:start;grid-auto-flow:dense}
.card{min-width:0;padding:18px 20px;border:1px solid var(--grid);border-radius:10px;background:var(--paper)}
.wide{grid-column:1/-1}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(164px,1fr));gap:14px 22px;margin:0}
.tiles dt{color:var(--dim);font-size:13px}
.tiles dd{margin:0}
.tiles .big{display:block;font-size:22px;font-weight:650;line-height:1.25;white-space:nowrap;font-variant-numeric:tabular-nums}
.tiles .note{display:block;overflow-wrap:anywhere;color:var(--dim);font-size:13px}
.verdict{margin:16px 0 0;padding:10px 14px;border-left:4px solid var(--mark);border-radius:4px;
background:var(--shade);overflow-wrap:anywhere}
.verdict:last-child{margin-bottom:0}
.dim{color:var(--dim)}
.small{font-size:13px}
.pair{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:16px 24px}
.sides{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,7fr);gap:16px 32px;align-items:start}
.sides.even{grid-template-columns:repeat(2,minmax(0,1fr))}.sides h3{margin-top:0}
.half h3{margin-top:6px}
.pair+.scroll{margin-top:14px}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:18px 28px}
.pictures h3{margin-top:0}
.scroll{overflow-x:auto;max-width:100%}
.chart{width:100%;height:auto}
table{width:100%;border-collapse:collapse;font-size:13.5px;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;border-bottom:1px solid var(--grid);text-align:left;vertical-align:top}
th{color:var(--dim);font-weight:600;white-space:nowrap}
th:first-child,td:first-child{padding-left:2px;white-space:nowrap}
tr:last-child td{border-bottom:0}
.n{text-align:right;white-space:nowrap}
tr.win td:first-child{border-left:3px solid var(--mark);padding-left:8px;font-weight:600}
code,.code{font:12.5px ui-monospace,'DejaVu Sans Mono',monospace;overflow-wrap:anywhere}
.nowrap{white-space:nowrap}
.bar{display:inline-block;width:90px;height:9px;border-radius:2px;background:var(--grid);overflow:hidden}
.bar span{display:block;height:100%;background:var(--c1)}
details{margin-top:12px}
summary{cursor:pointer;color:var(--accent);font-size:14px}
details[open]>summary{margin-bottom:8px}
.parts{background:none;border-radius:0}.parts span{display:inline-block;vertical-align:top}.faint{opacity:.5}
.large{min-width:840px}.chart .letter{fill:#fff}
.advice{margin:0;padding:0;list-style:none}.advice li{padding:10px 0;border-top:1px solid var(--grid)}
.advice li:first-child{border-top:0;padding-top:0}.advice p{margin:0 0 3px}
.rule{display:flex;justify-content:space-between;gap:12px}.gain{white-space:nowrap;color:var(--mark);font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:10px 0 0;padding:0;list-style:none;font-size:13px}
.swatch{display:inline-block;width:14px;height:14px;margin-right:6px;border-radius:2px;color:#fff;font-size:10px;
line-height:14px;text-align:center;vertical-align:-1px}
.tall{max-height:640px;overflow-y:auto}
.tall thead th{position:sticky;top:0;z-index:1;background:var(--paper);box-shadow:0 1px 0 var(--grid)}
.sortable th{cursor:pointer}.sortable th[aria-sort]{color:var(--ink)}
.sortable th[aria-sort=ascending]::after{content:' \25B2'}.sortable th[aria-sort=descending]::after{content:' \25BC'}
table.code td,table.code th{padding:2px 8px;white-space:nowrap}table.code td{border-bottom:0}
tr.idle{color:var(--dim);opacity:.65}.waste{color:var(--mark)}
table.code tr.win td{background:var(--shade)}
.columns{margin:0;padding-left:18px;columns:3 220px;font-size:13px}
footer{margin:22px 4px 0;color:var(--dim);font-size:12.5px}
footer dl{display:grid;gap:2px;margin:0}
footer dl div{display:flex;gap:8px}
footer dt{flex:0 0 96px}
footer dd{margin:0;overflow-wrap:anywhere;min-width:0}
@media (max-width:900px){main{grid-template-columns:minmax(0,1fr)}.pair,.sides,.sides.even{grid-template-columns:minmax(0,1fr)}}
@media (max-width:560px){body{padding:14px 10px 28px}.card{padding:14px 12px}h1{font-size:23px;padding-right:84px}
.tiles{grid-template-columns:repeat(2,minmax(0,1fr));gap:12px}.tiles .big{font-size:19px}
.columns{columns:1}}
@media print{:root{--page:#fff;--shade:#f0f3f6}
body{max-width:none;padding:0;font-size:11px;-webkit-print-color-adjust:exact;print-color-adjust:exact}
main{display:block}.card{margin:0 0 12px;padding:10px 12px;break-inside:auto}
h2,h3,h2+p,h3+p{break-after:avoid}
.tiles{grid-template-columns:repeat(6,minmax(0,1fr));gap:8px}.tiles .big{font-size:12.5px}
.tiles .note,.tiles dt{font-size:10px}p{font-size:11px}.chart,tr,.tiles,.verdict,.picture{break-inside:avoid}
.theme,nav{display:none}.large{min-width:840px}.chart .letter{fill:#fff}
.advice{margin:0;padding:0;list-style:none}.advice li{padding:10px 0;border-top:1px solid var(--grid)}
.advice li:first-child{border-top:0;padding-top:0}.advice p{margin:0 0 3px}
.rule{display:flex;justify-content:space-between;gap:12px}.gain{white-space:nowrap;color:var(--mark);font-weight:600}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;margin:10px 0 0;padding:0;list-style:none;font-size:13px}
.swatch{display:inline-block;width:14px;height:14px;margin-right:6px;border-radius:2px;color:#fff;font-size:10px;
line-height:14px;text-align:center;vertical-align:-1px}
.tall{max-height:none}.scroll{overflow:visible}table{font-size:10px}th,td{padding:2px 6px}
details{display:block}details::details-content{content-visibility:visible;display:block;height:auto}
summary{list-style:none}.pair{grid-template-columns:repeat(3,minmax(0,1fr))}
.sides{display:block}.card:not(.wide) .chart,.sides .chart{width:360px}.columns{columns:3}
.pictures{grid-template-columns:repeat(2,minmax(0,1fr))}}
@page{margin:14mm}
)css";
}

// Sugar only: a theme button, and folded parts opened for printers that leave them out.
std::string page_script() {
    return R"js(
(function(){
var root=document.documentElement,button=document.createElement('button');
function dark(){return root.dataset.theme?root.dataset.theme==='dark':matchMedia('(prefers-color-scheme:dark)').matches}
function label(){button.textContent=dark()?'Light':'Dark'}
button.type='button';button.className='theme';button.setAttribute('aria-label','Switch between light and dark');
button.addEventListener('click',function(){root.dataset.theme=dark()?'light':'dark';label()});
label();document.querySelector('header').appendChild(button);
document.querySelectorAll('table.sortable').forEach(function(table){
var heads=[].slice.call(table.tHead.rows[0].cells);
function key(row,i){var cell=row.cells[i];return 'v' in cell.dataset?+cell.dataset.v:cell.textContent}
function sort(i){
var down=heads[i].getAttribute('aria-sort')!=='descending'&&(i>0||heads[i].getAttribute('aria-sort')==='ascending');
var rows=[].slice.call(table.tBodies[0].rows),sum=0;
rows.sort(function(a,b){var x=key(a,i),y=key(b,i);return (x<y?-1:x>y?1:0)*(down?-1:1)});
heads.forEach(function(h){h.removeAttribute('aria-sort')});
heads[i].setAttribute('aria-sort',down?'descending':'ascending');
rows.forEach(function(row){table.tBodies[0].appendChild(row);
var share=row.querySelector('.share'),total=row.querySelector('.sum');
if(total&&share){sum+=+share.dataset.v;total.textContent=sum.toFixed(1);total.dataset.v=sum}})}
heads.forEach(function(h,i){h.tabIndex=0;h.addEventListener('click',function(){sort(i)});
h.addEventListener('keydown',function(e){if(e.key==='Enter')sort(i)})})});
addEventListener('beforeprint',function(){document.querySelectorAll('details').forEach(function(d){d.open=true})});
})();
)js";
}

}  // namespace gpumodel::cli::page
