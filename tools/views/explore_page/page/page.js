// The controls, and what they show.
(function () {
  'use strict';
  const escaped = Format.escaped;
  const figure = Format.figure;
  const byId = function (id) { return document.getElementById(id); };
  const kernelOf = function (s) { return Data.kernels[s.kernel]; };
  const listed = 12;  // best tiles

  let state = start(0);
  const view = { x: '', y: '', cells: 'best', show: 'time' };

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

  // --- the address holds the state -------------------------------------------------------------------------
  function address() {
    const kernel = kernelOf(state);
    const query = new URLSearchParams();
    query.set('kernel', kernel.name);
    kernel.dimensions.forEach(function (d, i) { query.set(d.key, d.values[state.at[i]]); });
    Object.keys(view).forEach(function (key) { query.set(key, view[key]); });
    return '#' + query.toString();
  }

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

  // --- controls --------------------------------------------------------------------------------------------
  function options(values, chosen) {
    return values.map(function (v) {
      return '<option value="' + escaped(v[0]) + '"' + (v[0] === chosen ? ' selected=""' : '') + '>' + escaped(v[1]) + '</option>';
    }).join('');
  }

  function select(id, label, values, chosen) {
    return '<label class="field" for="' + id + '"><span>' + escaped(label) + '</span><select id="' + id + '">' + options(values, chosen) +
      '</select></label>';
  }

  function clockText(index) {
    const gpu = Data.gpus[state.at[0]];
    return Format.si(gpu.clocks[index].hz, 'Hz');
  }

  function radios(d, i) {
    const name = 'choice_' + d.key;
    const items = d.values.map(function (value, index) {
      const refused = Data.point(Data.changed(state, i, index)).refused;
      const words = d.key === 'clock' ? clockText(index) : value;
      return '<label class="pill' + (refused ? ' refused' : '') + '"' + (refused ? ' title="' + escaped(refused) + '"' : '') +
        '><input type="radio" name="' + name + '" value="' + index + '"' + (index === state.at[i] ? ' checked=""' : '') + '>' +
        '<span>' + escaped(words) + (refused ? '<i class="hidden"> refused</i>' : '') + '</span></label>';
    });
    return '<fieldset><legend><b>' + escaped(d.key) + '</b> <span class="dim">' + escaped(d.label) + '</span></legend><div class="pills">' +
      items.join('') + '</div></fieldset>';
  }

  function controls() {
    const kernel = kernelOf(state);
    let html = select('gpu', 'GPU', Data.gpus.map(function (g, i) { return [String(i), g.title + ' [' + g.generation + ']']; }), String(state.at[0]));
    html += select('kernel', 'kernel', Data.kernels.map(function (k, i) { return [String(i), k.name]; }), String(state.kernel));
    html += '<p class="dim small">' + escaped(kernel.summary) + '</p>';
    kernel.dimensions.forEach(function (d, i) { if (i > 0) html += radios(d, i); });
    Data.following(state).forEach(function (f) {
      html += '<p class="follows"><b>' + escaped(f.key) + '</b> ' + escaped(f.value) + ' <span class="dim">as the rules demand of the others</span></p>';
    });
    return html;
  }

  // Keeps the keyboard where it was.
  function drawControls() {
    const active = document.activeElement;
    const key = active && active.name ? active.name : null;
    const id = active && active.id ? active.id : null;
    byId('form').innerHTML = controls();
    const again = key ? document.querySelector('input[name="' + CSS.escape(key) + '"]:checked') : id ? byId(id) : null;
    if (again && byId('form').contains(again)) again.focus({ preventScroll: true });
  }

  // --- sections --------------------------------------------------------------------------------------------
  function tile(name, value, note) {
    return '<div><dt>' + escaped(name) + '</dt><dd><span class="big">' + value + '</span><span class="note">' + escaped(note) + '</span></dd></div>';
  }

  function percent(value) { return Format.fixed(100 * value, 1) + ' %'; }

  function summary(p) {
    const gpu = Data.gpus[state.at[0]];
    if (p.refused) {
      const near = Data.nearestLegal(state);
      return '<p class="verdict" id="refused"><strong>' + escaped(p.refused.replace(/:.*/, '')) + ':</strong> <span id="reason">' +
        escaped(p.refused.replace(/^[a-z]+: /, '')) + '</span></p>' +
        (near ? '<p><button type="button" class="go" id="nearest">Go to the nearest tile that is allowed</button></p>'
              : '<p class="dim">No tile of this page is allowed for this shape on this GPU.</p>');
    }
    const flops = p.flops / p.seconds;
    let html = '<dl class="tiles">' + tile('Predicted time', figure('time_us', p.seconds * 1e6, Format.time(p.seconds)), 'analytic model');
    if (p.flops > 0) {
      html += tile('Throughput', figure('gflops', flops / 1e9, Format.si(flops, 'FLOP/s')), Format.fixed(flops / 1e9, 0) + ' GFLOP/s');
      html += tile('Of the FP32 peak', figure('peak_pct', 100 * (flops / p.peak_flops), percent(flops / p.peak_flops)), 'peak ' + Format.si(p.peak_flops, 'FLOP/s'));
    } else {
      html += tile('Effective bandwidth', figure('effective_bandwidth', p.bytes / p.seconds / 1e9, Format.si(p.bytes / p.seconds, 'B/s')), 'inputs read once, outputs written once');
    }
    html += tile('Theoretical occupancy', figure('theoretical_occupancy', p.occupancy.warps / gpu.max_warps, percent(p.occupancy.warps / gpu.max_warps)),
      p.occupancy.warps + ' of ' + gpu.max_warps + ' warps, limited by ' + p.occupancy.limiters);
    html += tile('Waves', figure('waves', p.waves, Format.fixed(p.waves, 2)), p.grid_x + ' \u00d7 ' + p.grid_y + ' blocks over ' + gpu.sms + ' SMs');
    html += tile('Error band', figure('error_band_pct', p.band, isFinite(p.band) ? '\u00b1' + Format.fixed(p.band, 0) + ' %' : 'not measured'),
      isFinite(p.band) ? 'holds for 9 of 10 launches' : 'for this kernel family and generation');
    const limits = p.bounds.filter(function (b) { return b.limits; }).map(function (b) { return b.name; });
    html += '</dl><p class="verdict"><strong>Bottleneck:</strong> <span id="bottleneck">' + escaped(limits.length ? limits.join('+') : 'unknown') +
      '</span> <span class="dim">(bounds within 2 % of the largest)</span></p>';
    return html + '<p class="dim small">Code: <span id="program">' + escaped(p.program) + '</span>. Registers: ' + escaped(p.registers_source) + '.</p>';
  }

  function command() {
    return '<p class="small dim">' + (Data.point(state).refused ? 'The command that says so:' : 'The command that prints these figures:') +
      '</p><p class="command"><code id="command">' + escaped(Data.command(state)) + '</code></p>' +
      '<p><button type="button" class="go" data-copy="command">Copy the command</button> ' +
      '<button type="button" class="go" data-copy="address">Copy a link to this state</button> <span id="copied" role="status"></span></p>';
  }

  function bounds(p) {
    if (p.refused) return '<p class="dim">Nothing is predicted of a launch that is refused.</p>';
    let html = '<p class="dim small">Lower bounds on the SM cycles, each by one cause alone; the launch takes ' +
      figure('cycles', p.cycles, Format.fixed(p.cycles, 0)) + ' cycles. Marked: within 2 % of the largest.</p>' +
      '<div class="scroll"><table><thead><tr><th scope="col">bound</th><th scope="col">of the time</th><th scope="col" class="n">cycles</th></tr></thead><tbody>';
    p.bounds.forEach(function (b) {
      html += '<tr class="bound' + (b.limits ? ' win' : '') + '" title="' + escaped(b.formula) + '"><td>' + escaped(b.name) + '</td><td class="share"><span class="bar' +
        (b.limits ? ' limit' : '') + '"><span style="width:' + Math.min(100, 100 * b.share).toFixed(1) + '%"></span></span> ' + percent(b.share) +
        '</td><td class="n"><data class="bound_cycles" value="' + Format.number(b.cycles) + '">' + Format.fixed(b.cycles, 0) + '</data></td></tr>';
    });
    return html + '</tbody></table></div>';
  }

  function tileText(kernel, tileIndex) {
    const digits = Data.tileDigits(kernel, tileIndex);
    return kernel.axes.map(function (axis, i) { return axis.key + '=' + axis.values[digits[i]]; }).join(' ') || 'the default';
  }

  function best(list) {
    const kernel = kernelOf(state);
    const here = Data.tileOf(kernel, state.at);
    const rank = list.findIndex(function (item) { return item.tile === here; });
    if (!list.length) return '<p class="dim">No tile of this page is allowed for this shape on this GPU.</p>';
    let html = '<p class="dim small">Of ' + list.length + ' allowed tiles (' + kernel.tiles + ' combinations), for this GPU, clock and shape. ' +
      (rank < 0 ? 'The chosen one is refused.' : 'The chosen one is number ' + (rank + 1) + ', ' +
        Format.fixed(100 * (list[rank].seconds / list[0].seconds - 1), 1) + ' % slower than the first.') + '</p>' +
      '<div class="scroll"><table><thead><tr><th scope="col">rank</th><th scope="col" class="n">time</th><th scope="col">tile</th></tr></thead><tbody>';
    list.slice(0, listed).forEach(function (item, i) {
      html += '<tr' + (item.tile === here ? ' class="win"' : '') + '><td><button type="button" class="go" data-tile="' + item.tile + '" aria-label="go to the tile of rank ' +
        (i + 1) + '">' + (i + 1) + '</button></td><td class="n">' + Format.time(item.seconds) + '</td><td class="code">' + escaped(tileText(kernel, item.tile)) + '</td></tr>';
    });
    return html + '</tbody></table></div>';
  }

  // The first two parameters with a choice, unless the address names others.
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

  function shown(cell) {
    if (view.show === 'time') return { value: -Math.log(cell.seconds), text: Format.time(cell.seconds) };
    const flops = Data.point(cell.state).flops;
    return { value: flops / cell.seconds, text: flops > 0 ? Format.fourDigits(flops / cell.seconds / 1e9) : '\u2013' };
  }

  let mapped = [];  // the states behind the map's cells

  function heatMap() {
    const kernel = kernelOf(state);
    const list = kernel.dimensions;
    const axes = axesOfMap();
    view.x = list[axes.x].key;
    view.y = list[axes.y].key;
    const names = axes.open.map(function (i) { return [list[i].key, list[i].key]; });
    let html = '<div class="row">' + select('map_x', 'across', names, view.x) + select('map_y', 'down', names, view.y) +
      select('map_cells', 'other parameters', [['best', 'the best of all tiles'], ['fixed', 'as chosen']], view.cells) +
      select('map_show', 'figure', [['time', 'time'], ['gflops', 'GFLOP/s']], view.show) + '</div>';
    if (axes.open.length < 2) return html + '<p class="dim">A map needs two parameters with more than one value.</p>';
    mapped = Data.cells(state, axes.x, axes.y, view.cells === 'best');
    const values = mapped.map(function (cell) { return cell && shown(cell); });
    const known = values.filter(Boolean).map(function (v) { return v.value; });
    const low = Math.min.apply(null, known), high = Math.max.apply(null, known);
    const columns = list[axes.x].values, rows = list[axes.y].values;
    const label = function (d, i) { return d.key === 'clock' ? clockText(i) : d.values[i]; };
    html += '<p class="dim small">' + escaped(view.y) + ' down, ' + escaped(view.x) + ' across; ' + (view.show === 'time' ? 'yellow is fastest' : 'yellow is most GFLOP/s') +
      '. The frame is the chosen point; a click goes to a cell\'s tile.</p><div class="scroll"><table class="map" aria-label="Map"><thead><tr><td></td>';
    columns.forEach(function (v, i) { html += '<th scope="col">' + escaped(label(list[axes.x], i)) + '</th>'; });
    html += '</tr></thead><tbody>';
    rows.forEach(function (v, row) {
      html += '<tr><th scope="row">' + escaped(label(list[axes.y], row)) + '</th>';
      columns.forEach(function (w, col) {
        const i = row * columns.length + col;
        const here = state.at[axes.x] === col && state.at[axes.y] === row;
        const where = view.x + ' ' + w + ', ' + view.y + ' ' + v;
        if (!mapped[i]) {
          html += '<td' + (here ? ' class="here"' : '') + '><span class="none" aria-label="' + escaped(where) + ': refused">\u2013</span></td>';
          return;
        }
        const colour = Charts.viridis(high > low ? (values[i].value - low) / (high - low) : 1);
        html += '<td' + (here ? ' class="here"' : '') + '><button type="button" data-cell="' + i + '" style="background:' + colour.fill + ';color:' + colour.ink +
          '" aria-label="' + escaped(where + ': ' + values[i].text + (here ? ', chosen' : '')) + '" title="' +
          escaped(tileText(kernel, Data.tileOf(kernel, mapped[i].state.at))) + '">' + escaped(values[i].text) + '</button></td>';
      });
      html += '</tr>';
    });
    return html + '</tbody></table></div>';
  }

  function orNone(value) { return value === null ? '\u2013' : String(value); }

  function occupancy(p) {
    if (p.refused) return '<p class="dim">Nothing is predicted of a launch that is refused.</p>';
    const o = p.occupancy;
    const gpu = Data.gpus[state.at[0]];
    const fewer = [];
    if (o.registers_fewer !== null) fewer.push(o.registers_fewer + ' registers per thread fewer');
    if (o.shared_fewer !== null) fewer.push(o.shared_fewer + ' bytes of shared memory fewer');
    let html = '<p>' + figure('blocks_per_sm', o.blocks, String(o.blocks)) + ' blocks per SM, ' + o.warps + ' of ' + gpu.max_warps + ' warps: ' +
      percent(o.warps / gpu.max_warps) + ' theoretical, ' + figure('achieved_occupancy', p.achieved, percent(p.achieved)) + ' achieved. ' +
      (fewer.length ? 'One more block for ' + fewer.join(', or ') + '.' : 'No resource alone gains one more block.') + '</p><div class="pair">';
    [['Over registers', 'registers per thread', 1, 1, p.registers, '', o.over_registers],
     ['Over threads', 'threads per block', 1, 1, p.threads, '', o.over_threads],
     ['Over shared memory', 'KiB of shared memory per block', 1024, 0, p.shared_bytes / 1024, ' KiB', o.over_shared]].forEach(function (c) {
      html += '<div class="half"><h3>' + c[0] + '</h3>' + Charts.cliffs({ title: c[0], name: c[1], unit: c[2], start: c[3], here: c[4], suffix: c[5], cliff: c[6],
        most: gpu.max_warps, warps: o.warps }) + '</div>';
    });
    html += '</div><div class="scroll"><table><thead><tr><th scope="col">resource</th><th scope="col">asked</th><th scope="col">allocated</th><th scope="col" class="n">blocks/SM</th></tr></thead><tbody>';
    [['warps', 'warps', figure('threads_per_block', p.threads, p.threads + ' threads'), gpu.max_warps + ' warps per SM', o.limit_warps],
     ['registers', 'registers', figure('registers_per_thread', p.registers, p.registers + ' per thread'), o.registers_allocated + ' per block', o.limit_registers],
     ['shared memory', 'shared_memory', figure('shared_bytes_per_block', p.shared_bytes, p.shared_bytes + ' B'), o.shared_allocated + ' B of ' + o.carveout + ' B', o.limit_shared],
     ['block slots', 'blocks', '', gpu.max_blocks + ' per SM', o.limit_blocks]].forEach(function (r) {
      html += '<tr' + (o.limiters.split(' and ').indexOf(r[1]) >= 0 ? ' class="win"' : '') + '><td>' + r[0] + '</td><td>' + r[2] + '</td><td>' + escaped(r[3]) +
        '</td><td class="n">' + orNone(r[4]) + '</td></tr>';
    });
    return html + '</tbody></table></div>';
  }

  function pictures(p) {
    if (p.refused) return '<p class="dim">Nothing is predicted of a launch that is refused.</p>';
    if (!p.pictures.length) return '<p class="dim">This kernel keeps nothing in shared memory.</p>';
    let html = '<p class="dim small">The worst warp of each shared access in the first block. A colour is one pass over the banks: lanes and banks of the same colour are served together.</p><div class="pictures">';
    p.pictures.slice(0, 8).forEach(function (item) {
      const names = item.sites.slice(0, 3).join(', ') + (item.sites.length > 3 ? ' and ' + (item.sites.length - 3) + ' more' : '');
      const c = item.picture;
      html += '<div class="picture"><h3>' + escaped(names) + '</h3><p class="dim small">' + c.bits + ' bits per lane: <span class="passes">' + c.wavefronts + '</span> pass' +
        (c.wavefronts === 1 ? '' : 'es') + ', ' + c.phases + ' without conflicts</p>' + Charts.banks(names + ': lanes to banks', c.words, Data.gpus[state.at[0]].banks) + '</div>';
    });
    return html + '</div>';
  }

  // --- all of it -------------------------------------------------------------------------------------------
  function draw() {
    const p = Data.point(state);
    drawControls();
    byId('summary_view').innerHTML = summary(p) + command();
    byId('said').textContent = p.refused ? 'Refused: ' + p.refused : Format.time(p.seconds) + ', ' + percent(p.occupancy.warps / Data.gpus[state.at[0]].max_warps) + ' occupancy';
    byId('bounds_view').innerHTML = bounds(p);
    byId('best_view').innerHTML = best(Data.ranking(state));
    byId('map_view').innerHTML = heatMap();
    byId('occupancy_view').innerHTML = occupancy(p);
    byId('banks_view').innerHTML = pictures(p);
    history.replaceState(null, '', address());
  }

  function go(next) {
    state = next;
    draw();
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
      go(Data.changed(state, kernelOf(state).dimensions.findIndex(function (d) { return d.key === key; }), Number(t.value)));
    }
  });

  function copy(what) {
    const words = what === 'command' ? byId('command').textContent : location.href;
    const said = function (text) { return function () { byId('copied').textContent = text; }; };
    const fails = said('This browser does not let a page copy.');
    if (navigator.clipboard) navigator.clipboard.writeText(words).then(said('Copied.'), fails);
    else fails();
  }

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
