// What the page shows of one point (data.js), section by section, as html.
const Sections = (function () {
  'use strict';
  const escaped = Format.escaped;
  const figure = Format.figure;
  const listed = 12;  // best tiles
  const drawn = 8;    // pictures of banks
  const nothing = '<p class="dim">Nothing is predicted of a launch that is refused.</p>';

  function gpuOf(state) { return Data.gpus[state.at[0]]; }

  function percent(value) { return Format.fixed(100 * value, 1) + ' %'; }

  function clockText(state, index) { return Format.si(gpuOf(state).clocks[index].hz, 'Hz'); }

  function tileText(kernel, tile) {
    const digits = Data.tileDigits(kernel, tile);
    return kernel.axes.map(function (axis, i) { return axis.key + '=' + axis.values[digits[i]]; }).join(' ') || 'the default';
  }

  function tableHead(columns) {
    return '<div class="scroll"><table><thead><tr>' + columns.map(function (c) {
      return '<th scope="col"' + (c[1] ? ' class="n"' : '') + '>' + c[0] + '</th>';
    }).join('') + '</tr></thead><tbody>';
  }

  function bigFigure(name, value, note) {
    return '<div><dt>' + escaped(name) + '</dt><dd><span class="big">' + value + '</span><span class="note">' + escaped(note) +
      '</span></dd></div>';
  }

  function refusal(state, p) {
    const colon = p.refused.indexOf(': ');
    return '<p class="verdict" id="refused"><strong>' + escaped(p.refused.slice(0, colon)) + ':</strong> <span id="reason">' +
      escaped(p.refused.slice(colon + 2)) + '</span></p>' +
      (Data.nearestLegal(state)
        ? '<p><button type="button" class="go" id="nearest">Go to the nearest tile that is allowed</button></p>'
        : '<p class="dim">No tile of this page is allowed for this shape on this GPU.</p>');
  }

  function throughput(p) {
    const flops = p.flops / p.seconds;
    if (!(p.flops > 0)) {
      const rate = p.bytes / p.seconds;
      return bigFigure('Effective bandwidth', figure('effective_bandwidth', rate / 1e9, Format.si(rate, 'B/s')),
        'inputs read once, outputs written once');
    }
    const rate = bigFigure('Throughput', figure('gflops', flops / 1e9, Format.si(flops, 'FLOP/s')),
      Format.fixed(flops / 1e9, 0) + ' GFLOP/s');
    if (!(p.peak_flops > 0)) return rate;
    return rate + bigFigure('Of the peak', figure('peak_pct', 100 * (flops / p.peak_flops), percent(flops / p.peak_flops)),
      escaped(p.peak_unit) + ': ' + Format.si(p.peak_flops, 'FLOP/s'));
  }

  function summary(state, p) {
    if (p.refused) return refusal(state, p);
    const gpu = gpuOf(state);
    const share = p.occupancy.warps / gpu.max_warps;
    const measured = isFinite(p.band);
    const limits = p.bounds.filter(function (b) { return b.limits; }).map(function (b) { return b.name; });
    return '<dl class="tiles">' +
      bigFigure('Predicted time', figure('time_us', p.seconds * 1e6, Format.time(p.seconds)), 'analytic model') + throughput(p) +
      bigFigure('Theoretical occupancy', figure('theoretical_occupancy', share, percent(share)),
        p.occupancy.warps + ' of ' + gpu.max_warps + ' warps, limited by ' + p.occupancy.limiters) +
      bigFigure('Waves', figure('waves', p.waves, Format.fixed(p.waves, 2)),
        p.grid_x + ' \u00d7 ' + p.grid_y + ' blocks over ' + gpu.sms + ' SMs') +
      bigFigure('Error band', figure('error_band_pct', p.band, measured ? '\u00b1' + Format.fixed(p.band, 0) + ' %'
          : 'not measured'),
        measured ? 'holds for 9 of 10 launches' : 'for this kernel family and generation') +
      '</dl><p class="verdict"><strong>Bottleneck:</strong> <span id="bottleneck">' +
      escaped(limits.length ? limits.join('+') : 'unknown') +
          '</span> <span class="dim">(bounds within 2 % of the largest)</span></p>' +
      '<p class="dim small">Code: <span id="program">' + escaped(p.program) + '</span>. Registers: ' +
          escaped(p.registers_source) + '.</p>';
  }

  function command(state, p) {
    return '<p class="small dim">' + (p.refused ? 'The command that says so:' : 'The command that prints these figures:') +
      '</p><p class="command"><code id="command">' + escaped(Data.command(state)) + '</code></p>' +
      '<p><button type="button" class="go" data-copy="command">Copy the command</button> ' +
      '<button type="button" class="go" data-copy="address">Copy a link to this state</button> ' +
      '<span id="copied" role="status"></span></p>';
  }

  function bounds(p) {
    if (p.refused) return nothing;
    return '<p class="dim small">Lower bounds on the SM cycles, each by one cause alone; the launch takes ' +
      figure('cycles', p.cycles, Format.fixed(p.cycles, 0)) + ' cycles. Marked: within 2 % of the largest.</p>' +
      tableHead([['bound'], ['of the time'], ['cycles', true]]) + p.bounds.map(function (b) {
        return '<tr class="bound' + (b.limits ? ' win' : '') + '" title="' + escaped(b.formula) + '"><td>' + escaped(b.name) +
          '</td><td class="share"><span class="bar' + (b.limits ? ' limit' : '') + '"><span style="width:' +
          Math.min(100, 100 * b.share).toFixed(1) + '%"></span></span> ' + percent(b.share) + '</td><td class="n">' +
          figure('', b.cycles, Format.fixed(b.cycles, 0)) + '</td></tr>';
      }).join('') + '</tbody></table></div>';
  }

  function best(state) {
    const list = Data.ranking(state);
    if (!list.length) return '<p class="dim">No tile of this page is allowed for this shape on this GPU.</p>';
    const kernel = Data.kernels[state.kernel];
    const here = Data.tileOf(kernel, state.at);
    const rank = list.findIndex(function (item) { return item.tile === here; });
    return '<p class="dim small">Of ' + list.length + ' allowed tiles (' + kernel.tiles +
      ' combinations), for this GPU, clock and shape. ' + (rank < 0 ? 'The chosen one is refused.' : 'The chosen one is number ' +
        (rank + 1) + ', ' + Format.fixed(100 * (list[rank].seconds / list[0].seconds - 1), 1) + ' % slower than the first.') +
            '</p>' +
      tableHead([['rank'], ['time', true], ['tile']]) + list.slice(0, listed).map(function (item, i) {
        return '<tr' + (item.tile === here ? ' class="win"' : '') + '><td><button type="button" class="go" data-tile="' +
            item.tile +
          '" aria-label="go to the tile of rank ' + (i + 1) + '">' + (i + 1) + '</button></td><td class="n">' +
          Format.time(item.seconds) + '</td><td class="code">' + escaped(tileText(kernel, item.tile)) + '</td></tr>';
      }).join('') + '</tbody></table></div>';
  }

  function nextStep(o) {
    const fewer = [];
    if (o.registers_fewer !== null) fewer.push(o.registers_fewer + ' registers per thread fewer');
    if (o.shared_fewer !== null) fewer.push(o.shared_fewer + ' bytes of shared memory fewer');
    return fewer.length ? 'One more block for ' + fewer.join(', or ') + '.' : 'No resource alone gains one more block.';
  }

  function limits(gpu, p) {
    const o = p.occupancy;
    const rows = [
      ['warps', 'warps', figure('threads_per_block', p.threads, p.threads + ' threads'), gpu.max_warps + ' warps per SM',
          o.limit_warps],
      ['registers', 'registers', figure('registers_per_thread', p.registers, p.registers + ' per thread'),
        o.registers_allocated + ' per block', o.limit_registers],
      ['shared memory', 'shared_memory', figure('shared_bytes_per_block', p.shared_bytes, p.shared_bytes + ' B'),
        o.shared_allocated + ' B of ' + o.carveout + ' B', o.limit_shared],
      ['block slots', 'blocks', '', gpu.max_blocks + ' per SM', o.limit_blocks]];
    return tableHead([['resource'], ['asked'], ['allocated'], ['blocks/SM', true]]) + rows.map(function (r) {
      return '<tr' + (o.limiters.split(' and ').indexOf(r[1]) >= 0 ? ' class="win"' : '') + '><td>' + r[0] + '</td><td>' + r[2] +
        '</td><td>' + escaped(r[3]) + '</td><td class="n">' + (r[4] === null ? '\u2013' : r[4]) + '</td></tr>';
    }).join('') + '</tbody></table></div>';
  }

  function occupancy(state, p) {
    if (p.refused) return nothing;
    const o = p.occupancy;
    const gpu = gpuOf(state);
    const charts = [
      { title: 'Over registers', name: 'registers per thread', unit: 1, start: 1, here: p.registers, suffix: '',
          cliff: o.over_registers },
      { title: 'Over threads', name: 'threads per block', unit: 1, start: 1, here: p.threads, suffix: '', cliff: o.over_threads },
      { title: 'Over shared memory', name: 'KiB of shared memory per block', unit: 1024, start: 0, here: p.shared_bytes / 1024,
        suffix: ' KiB', cliff: o.over_shared }];
    return '<p>' + figure('blocks_per_sm', o.blocks, String(o.blocks)) + ' blocks per SM, ' + o.warps + ' of ' + gpu.max_warps +
      ' warps: ' + percent(o.warps / gpu.max_warps) + ' theoretical, ' +
      figure('achieved_occupancy', p.achieved, percent(p.achieved)) + ' achieved. ' + nextStep(o) + '</p><div class="pair">' +
      charts.map(function (chart) {
        chart.most = gpu.max_warps;
        chart.warps = o.warps;
        return '<div class="half"><h3>' + chart.title + '</h3>' + Charts.cliffs(chart) + '</div>';
      }).join('') + '</div>' + limits(gpu, p);
  }

  function picture(item, banks) {
    const more = item.sites.length > 3 ? ' and ' + (item.sites.length - 3) + ' more' : '';
    const names = item.sites.slice(0, 3).join(', ') + more;
    const c = item.picture;
    return '<div class="picture"><h3>' + escaped(names) + '</h3><p class="dim small">' + c.bits + ' bits per lane: ' +
        c.wavefronts +
      ' pass' + (c.wavefronts === 1 ? '' : 'es') + ', ' + c.phases + ' without conflicts</p>' +
      Charts.banks(names + ': lanes to banks', c.words, banks) + '</div>';
  }

  function pictures(state, p) {
    if (p.refused) return nothing;
    if (!p.pictures.length) return '<p class="dim">This kernel keeps nothing in shared memory.</p>';
    return '<p class="dim small">The worst warp of each shared access in the first block. A colour is one pass over the banks: ' +
      'lanes and banks of the same colour are served together.</p><div class="pictures">' +
      p.pictures.slice(0, drawn).map(function (item) { return picture(item, gpuOf(state).banks); }).join('') + '</div>' +
      (p.pictures.length > drawn ? '<p class="dim small">' + (p.pictures.length - drawn) +
          ' more patterns are not drawn.</p>' : '');
  }

  return {
    percent: percent, clockText: clockText, tileText: tileText, summary: summary, command: command, bounds: bounds, best: best,
    occupancy: occupancy, pictures: pictures
  };
})();
