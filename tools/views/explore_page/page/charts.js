// Drawings as text, in the manner of tools/views/chart (its classes and colours).
const Charts = (function () {
  'use strict';
  const escaped = Format.escaped;

  function svg(width, height, title, body) {
    return '<svg class="chart" role="img" viewBox="0 0 ' + width + ' ' + height + '" style="max-width:' + width +
      'px"><title>' + escaped(title) + '</title>' + body + '</svg>';
  }

  function text(x, y, words, classes) {
    return '<text x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" class="' + (classes || 'ink') + '">' + escaped(words) +
      '</text>';
  }

  function line(x1, y1, x2, y2, classes) {
    return '<line x1="' + x1.toFixed(1) + '" y1="' + y1.toFixed(1) + '" x2="' + x2.toFixed(1) + '" y2="' + y2.toFixed(1) +
      '" class="' + classes + '"/>';
  }

  function rect(x, y, width, height, classes, tip) {
    return '<rect x="' + x.toFixed(1) + '" y="' + y.toFixed(1) + '" width="' + width.toFixed(1) + '" height="' +
      height.toFixed(1) + '" class="' + classes + '">' + (tip ? '<title>' + escaped(tip) + '</title>' : '') + '</rect>';
  }

  // The finest multiples of 1, 2 or 5 times a power of ten of which at most `most` lie within 0 ... high.
  function ticks(high, most) {
    let step = Math.pow(10, Math.floor(Math.log10(high)) - 1);
    const factors = [2, 2.5, 2];
    for (let i = 0; high / step > most; i += 1) step *= factors[i % 3];
    const list = [];
    for (let i = 0; i * step <= high * (1 + 1e-9); i += 1) list.push(i * step);
    return list;
  }

  // Active warps per SM over one resource: `cliff` is [up to, warps, up to, warps ...].
  function cliffs(chart) {
    const width = 350, height = 190, left = 44, right = width - 12, top = 24, bottom = height - 40;
    const steps = [];
    for (let i = 0; i < chart.cliff.length; i += 2) steps.push([chart.cliff[i] / chart.unit, chart.cliff[i + 1]]);
    const end = steps.length ? steps[steps.length - 1][0] : chart.start + 1;
    const x = function (value) { return left + (right - left) * Math.min(1, (value - chart.start) / (end - chart.start || 1)); };
    const y = function (value) { return bottom - (bottom - top) * value / chart.most; };
    let body = '';
    ticks(chart.most, 5).forEach(function (value) {
      body += line(left, y(value), right, y(value), 'grid') + text(left - 6, y(value) + 4, String(value), 'dim ae');
    });
    ticks(end, 7).forEach(function (value) {
      if (value < chart.start) return;
      body += line(x(value), top, x(value), bottom, 'grid') + text(x(value), bottom + 15, Format.fourDigits(value), 'dim am');
    });
    body += text((left + right) / 2, height - 6, chart.name, 'dim am') + text(2, 12, 'active warps per SM', 'dim');
    const corners = [];
    let from = chart.start;
    steps.forEach(function (step) {
      corners.push(x(from).toFixed(1) + ',' + y(step[1]).toFixed(1), x(step[0]).toFixed(1) + ',' + y(step[1]).toFixed(1));
      from = step[0];
    });
    if (corners.length) {
      const below = ' ' + x(from).toFixed(1) + ',' + bottom + ' ' + left + ',' + bottom;
      body += '<polygon class="c1 wash" points="' + corners.join(' ') + below + '"/>' +
        '<polyline class="s1 open" points="' + corners.join(' ') + '"/>';
    }
    const at = { x: x(chart.here), y: y(chart.warps) };
    const words = chart.warps + ' warps at ' + Format.fourDigits(chart.here) + chart.suffix;
    const room = at.x + 10 + 7.9 * words.length < right;
    body += line(at.x, at.y, at.x, bottom, 'markline dash') +
      '<circle class="mark" cx="' + at.x.toFixed(1) + '" cy="' + at.y.toFixed(1) + '" r="5.5"/>' +
      text(at.x + (room ? 6 : -6), at.y - 9 > top ? at.y - 9 : at.y + 18, words, 'marktext bold' + (room ? '' : ' ae'));
    return svg(width, height, chart.title + ': ' + words, body);
  }

  const colours = [1, 2, 3, 4, 6, 5, 8];  // of neighbouring passes; yellow is too pale for wires

  function lanesOf(mask) {
    const list = [];
    for (let lane = 0; lane < 32; lane += 1) if (Math.floor(mask / Math.pow(2, lane)) % 2 === 1) list.push(lane);
    return list;
  }

  // The words of one bank go one after the other, phases too: which pass serves each.
  function served(words) {
    const list = [];
    let phase = -1, start = 0, passes = 0, used = {};
    for (let i = 0; i < words.length; i += 3) {
      if (words[i] !== phase) {
        phase = words[i];
        start = passes;
        used = {};
      }
      const bank = words[i + 1];
      const pass = start + (used[bank] || 0);
      used[bank] = (used[bank] || 0) + 1;
      passes = Math.max(passes, pass + 1);
      list.push({ bank: bank, lanes: lanesOf(words[i + 2]), pass: pass });
    }
    return { list: list, passes: passes };
  }

  // Lanes above, banks below, a colour for each pass over the banks; as tools/views/memory/bank_drawing.
  function banks(title, words, count) {
    const left = 50, cell = 12, top = 34, bottom = 92, rowHeight = 15, drawn = 12;
    const width = left + 32 * cell + 2, bankCell = 32 * cell / count;
    const s = served(words);
    const rows = Math.min(s.passes, drawn);
    const colour = function (pass) { return colours[pass % colours.length]; };
    const bankX = function (bank) { return left + (bank + 0.5) * bankCell; };
    const first = [];
    let wires = '', cells = '';
    s.list.forEach(function (word) {
      word.lanes.forEach(function (lane) {
        if (first[lane] === undefined) first[lane] = word.pass;
        wires += line(left + (lane + 0.5) * cell, top, bankX(word.bank), bottom, 'wire s' + colour(word.pass));
      });
      if (word.pass < drawn) {
        cells += rect(left + word.bank * bankCell, bottom + 2 + word.pass * rowHeight, bankCell - 1, rowHeight - 2,
          'c' + colour(word.pass),
          'bank ' + word.bank + ', pass ' + (word.pass + 1) + ': lane' + (word.lanes.length > 1 ? 's ' : ' ') +
              word.lanes.join(', '));
      }
    });
    let body = wires + text(left - 6, top - 4, 'lanes', 'dim small ae');
    for (let lane = 0; lane < 32; lane += 1) {
      body += rect(left + lane * cell, top - 13, cell - 1, 12, first[lane] === undefined ? 'track' : 'c' + colour(first[lane]),
        'lane ' + lane + (first[lane] === undefined ? ': idle' : ', pass ' + (first[lane] + 1)));
      if (lane % 4 === 0) body += text(left + lane * cell + cell / 2, top - 17, String(lane), 'dim small am');
    }
    for (let row = 0; row < rows; row += 1) {
      const y = bottom + 2 + row * rowHeight;
      body += rect(left, y, 32 * cell - 1, rowHeight - 2, 'track') + text(left - 6, y + 10, 'pass ' + (row + 1), 'dim small ae');
    }
    const below = bottom + 14 + rows * rowHeight;
    body += text(left - 6, below, 'banks', 'dim small ae');
    for (let bank = 0; bank < count; bank += Math.max(1, count / 8)) {
      body += text(bankX(bank), below, String(bank), 'dim small am');
    }
    if (s.passes > rows) body += text(left + 32 * cell, below + 14, 'and ' + (s.passes - rows) + ' more passes', 'dim small ae');
    return svg(width, bottom + 22 + rows * rowHeight + (s.passes > rows ? 14 : 0), title, body + cells);
  }

  // Viridis (matplotlib, CC0) between eleven of its colours, as chart::viridis.
  const anchors = [[68, 1, 84], [72, 36, 117], [65, 68, 135], [53, 95, 141], [42, 120, 142], [33, 145, 140],
    [34, 168, 132], [68, 191, 112], [122, 209, 81], [189, 223, 38], [253, 231, 37]];

  function viridis(part) {
    const at = Math.min(1, Math.max(0, part)) * 10;
    const low = Math.min(9, Math.floor(at));
    const rgb = anchors[low].map(function (value, i) {
      return Math.round(value + (anchors[low + 1][i] - value) * (at - low));
    });
    // relative luminance of WCAG 2: the ink with more contrast
    const linear = rgb.map(function (value) {
      const c = value / 255;
      return c <= 0.03928 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
    });
    const luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    return { fill: 'rgb(' + rgb.join(',') + ')', ink: luminance > 0.179 ? '#000' : '#fff' };
  }

  return { cliffs: cliffs, banks: banks, viridis: viridis };
})();
