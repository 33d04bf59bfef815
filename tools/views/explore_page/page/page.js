// The controls, the map, the address, and what follows when one of them is moved.
(function () {
  'use strict';
  const escaped = Format.escaped;
  const byId = function (id) { return document.getElementById(id); };
  const kernelOf = function (s) { return Data.kernels[s.kernel]; };

  let state = start(0);
  const view = { x: '', y: '', cells: 'best', show: 'time' };  // of the map
  let mapped = [];                                             // the states behind its cells

  // The last shape (of lists from small to large the largest) that any tile is allowed for on the first GPU, with
  // the default tile, or the fastest one where that is refused.
  function start(index) {
    const kernel = Data.kernels[index];
    const at = kernel.dimensions.map(function (d, i) { return d.tile ? d.start : i < 2 ? 0 : d.values.length - 1; });
    const s = kernel.sizes;
    for (let shape = s[0] * s[1] * s[2] - 1; shape >= 0; shape -= 1) {
      at[2] = Math.floor(shape / (s[1] * s[2]));
      at[3] = Math.floor(shape / s[2]) % s[1];
      at[4] = shape % s[2];
      const first = { kernel: index, at: at.slice() };
      if (!Data.point(first).refused) return first;
      const best = Data.ranking(first)[0];
      if (best) return Data.atTile(first, best.tile);
    }
    return { kernel: index, at: at };
  }

  // Another kernel with the values that both have.
  function withKernel(index) {
    const next = start(index);
    const old = kernelOf(state).dimensions;
    Data.kernels[index].dimensions.forEach(function (d, i) {
      const same = old.findIndex(function (o) { return o.key === d.key; });
      const value = same < 0 ? -1 : d.values.indexOf(old[same].values[state.at[same]]);
      if (value >= 0) next.at[i] = value;
    });
    return next;
  }

  function address() {
    const kernel = kernelOf(state);
    const query = new URLSearchParams();
    query.set('kernel', kernel.name);
    kernel.dimensions.forEach(function (d, i) { query.set(d.key, d.values[state.at[i]]); });
    Object.keys(view).forEach(function (key) { query.set(key, view[key]); });
    return '#' + query.toString();
  }

  // What the page has not got is passed over.
  function read(hash) {
    if (hash.indexOf('=') < 0) return false;
    const query = new URLSearchParams(hash.replace(/^#/, ''));
    const index = Data.kernels.findIndex(function (k) { return k.name === query.get('kernel'); });
    state = start(index < 0 ? state.kernel : index);
    kernelOf(state).dimensions.forEach(function (d, i) {
      const value = d.values.indexOf(query.get(d.key));
      if (value >= 0) state.at[i] = value;
    });
    ['x', 'y'].forEach(function (key) { view[key] = query.get(key) || ''; });
    view.cells = query.get('cells') === 'fixed' ? 'fixed' : 'best';
    view.show = query.get('show') === 'gflops' ? 'gflops' : 'time';
    return true;
  }

  function select(id, label, values, chosen) {
    return '<label class="field" for="' + id + '"><span>' + escaped(label) + '</span><select id="' + id + '">' +
      values.map(function (v) {
        return '<option value="' + escaped(v[0]) + '"' + (v[0] === chosen ? ' selected=""' : '') + '>' + escaped(v[1]) +
            '</option>';
      }).join('') + '</select></label>';
  }

  function pill(d, i, value, index) {
    const refused = Data.point(Data.changed(state, i, index)).refused;
    return '<label class="pill' + (refused ? ' refused" title="' + escaped(refused) : '') +
        '"><input type="radio" name="choice_' +
      escaped(d.key) + '" value="' + index + '"' + (index === state.at[i] ? ' checked=""' : '') + '><span>' +
      escaped(d.key === 'clock' ? Sections.clockText(state, index) : value) +
      (refused ? '<i class="hidden"> refused</i>' : '') + '</span></label>';
  }

  function controls() {
    const kernel = kernelOf(state);
    const gpus = Data.gpus.map(function (g, i) { return [String(i), g.title + ' [' + g.generation + ']']; });
    let html = select('gpu', 'GPU', gpus, String(state.at[0])) +
      select('kernel', 'kernel', Data.kernels.map(function (k, i) { return [String(i), k.name]; }), String(state.kernel)) +
      '<p class="dim small">' + escaped(kernel.summary) + '</p>';
    kernel.dimensions.forEach(function (d, i) {
      if (i === 0) return;  // the GPU
      html += '<fieldset><legend><b>' + escaped(d.key) + '</b> <span class="dim">' + escaped(d.label) +
          '</span></legend><div class="pills">' +
        d.values.map(function (value, index) { return pill(d, i, value, index); }).join('') + '</div></fieldset>';
    });
    Data.following(state).forEach(function (f) {
      html += '<p class="follows"><b>' + escaped(f.key) + '</b> ' + escaped(f.value) +
        ' <span class="dim">as the rules demand of the others</span></p>';
    });
    return html;
  }

  // Keeps the keyboard where it was.
  function drawControls() {
    const active = document.activeElement;
    const name = active && active.name ? active.name : null;
    const id = active && active.id ? active.id : null;
    byId('form').innerHTML = controls();
    const again = name ? document.querySelector('input[name="' + CSS.escape(name) + '"]:checked') : id ? byId(id) : null;
    if (again && byId('form').contains(again)) again.focus({ preventScroll: true });
  }

  // The first two parameters with a choice, unless others are named.
  function axesOfMap() {
    const list = kernelOf(state).dimensions;
    const open = list.map(function (d, i) { return i; }).filter(function (i) { return list[i].values.length > 1; });
    const tiles = open.filter(function (i) { return list[i].tile; }).concat(open);
    const named = function (key) { return open.find(function (i) { return list[i].key === key; }); };
    let x = named(view.x), y = named(view.y);
    if (x === undefined) x = tiles.find(function (i) { return i !== y; });
    if (y === undefined || y === x) y = tiles.find(function (i) { return i !== x; });
    return { open: open, x: x === undefined ? 0 : x, y: y === undefined ? 1 : y };
  }

  // Brighter is better.
  function shown(cell) {
    if (view.show === 'time') return { value: -Math.log(cell.seconds), text: Format.time(cell.seconds) };
    const rate = Data.point(cell.state).flops / cell.seconds;
    return { value: rate, text: rate > 0 ? Format.fourDigits(rate / 1e9) : '\u2013' };
  }

  function mapCell(i, figure, part, where, here) {
    const open = '<td' + (here ? ' class="here"' : '') + '>';
    if (!figure) return open + '<span class="none" aria-label="' + escaped(where) + ': refused">\u2013</span></td>';
    const colour = Charts.viridis(part);
    const tile = Sections.tileText(kernelOf(state), Data.tileOf(kernelOf(state), mapped[i].state.at));
    return open + '<button type="button" data-cell="' + i + '" style="background:' + colour.fill + ';color:' + colour.ink +
      '" aria-label="' + escaped(where + ': ' + figure.text + (here ? ', chosen' : '')) + '" title="' + escaped(tile) + '">' +
      escaped(figure.text) + '</button></td>';
  }

  function mapTable(axes) {
    const list = kernelOf(state).dimensions;
    const across = list[axes.x], down = list[axes.y];
    mapped = Data.cells(state, axes.x, axes.y, view.cells === 'best');
    const figures = mapped.map(function (cell) { return cell && shown(cell); });
    const known = figures.filter(Boolean).map(function (f) { return f.value; });
    const low = Math.min.apply(null, known), high = Math.max.apply(null, known);
    const oneGpu = axes.x !== 0 && axes.y !== 0;  // else a share of the clock is another frequency in each cell
    const label = function (d, i) { return d.key === 'clock' && oneGpu ? Sections.clockText(state, i) : d.values[i]; };
    let html = '<p class="dim small">' + escaped(view.y) + ' down, ' + escaped(view.x) + ' across; ' +
      (view.show === 'time' ? 'yellow is fastest' : 'yellow is most GFLOP/s') +
      '. The frame is the chosen point; a click goes to a cell\'s tile.</p>' +
      '<div class="scroll"><table class="map" aria-label="Map"><thead><tr><td></td>';
    across.values.forEach(function (v, i) { html += '<th scope="col">' + escaped(label(across, i)) + '</th>'; });
    html += '</tr></thead><tbody>';
    down.values.forEach(function (v, row) {
      html += '<tr><th scope="row">' + escaped(label(down, row)) + '</th>';
      across.values.forEach(function (w, col) {
        const i = row * across.values.length + col;
        const part = figures[i] && high > low ? (figures[i].value - low) / (high - low) : 1;
        html += mapCell(i, figures[i], part, view.x + ' ' + w + ', ' + view.y + ' ' + v,
            state.at[axes.x] === col && state.at[axes.y] === row);
      });
      html += '</tr>';
    });
    return html + '</tbody></table></div>';
  }

  function heatMap() {
    const list = kernelOf(state).dimensions;
    const axes = axesOfMap();
    view.x = list[axes.x].key;
    view.y = list[axes.y].key;
    const names = axes.open.map(function (i) { return [list[i].key, list[i].key]; });
    return '<div class="row">' + select('map_x', 'across', names, view.x) + select('map_y', 'down', names, view.y) +
      select('map_cells', 'other parameters', [['best', 'the best of all tiles'], ['fixed', 'as chosen']], view.cells) +
      select('map_show', 'figure', [['time', 'time'], ['gflops', 'GFLOP/s']], view.show) + '</div>' +
      (axes.open.length < 2 ? '<p class="dim">A map needs two parameters with more than one value.</p>' : mapTable(axes));
  }

  function draw() {
    const p = Data.point(state);
    drawControls();
    byId('said').textContent = p.refused ? 'Refused: ' + p.refused : Format.time(p.seconds) + ', ' +
      Sections.percent(p.occupancy.warps / Data.gpus[state.at[0]].max_warps) + ' occupancy';
    byId('summary_view').innerHTML = Sections.summary(state, p) + Sections.command(state, p);
    byId('bounds_view').innerHTML = Sections.bounds(p);
    byId('best_view').innerHTML = Sections.best(state);
    byId('map_view').innerHTML = heatMap();
    byId('occupancy_view').innerHTML = Sections.occupancy(state, p);
    byId('banks_view').innerHTML = Sections.pictures(state, p);
    history.replaceState(null, '', address());
  }

  function go(next) {
    state = next;
    draw();
  }

  function copy(what) {
    const words = what === 'command' ? byId('command').textContent : location.href;
    const said = function (text) { return function () { byId('copied').textContent = text; }; };
    const fails = said('This browser does not let a page copy.');
    if (navigator.clipboard) navigator.clipboard.writeText(words).then(said('Copied.'), fails);
    else fails();
  }

  document.addEventListener('change', function (event) {
    const t = event.target;
    if (t.id === 'kernel') go(withKernel(Number(t.value)));
    else if (t.id === 'gpu') go(Data.changed(state, 0, Number(t.value)));
    else if (t.id && t.id.indexOf('map_') === 0) {
      view[t.id.slice(4)] = t.value;
      draw();
      byId(t.id).focus({ preventScroll: true });
    } else if (t.name && t.name.indexOf('choice_') === 0) {
      const key = t.name.slice(7);
      const dimension = kernelOf(state).dimensions.findIndex(function (d) { return d.key === key; });
      go(Data.changed(state, dimension, Number(t.value)));
    }
  });

  document.addEventListener('click', function (event) {
    const t = event.target.closest('button');
    if (!t) return;
    if (t.dataset.tile) go(Data.atTile(state, Number(t.dataset.tile)));
    else if (t.dataset.cell) go(mapped[Number(t.dataset.cell)].state);
    else if (t.dataset.copy) copy(t.dataset.copy);
    else if (t.id === 'nearest') go(Data.nearestLegal(state));
  });

  addEventListener('hashchange', function () {
    if (read(location.hash)) draw();
    else history.replaceState(null, '', address());  // a link to a section
  });

  byId('form').addEventListener('submit', function (event) { event.preventDefault(); });
  read(location.hash);
  draw();
})();
