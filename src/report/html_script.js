/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page is whole without it: it opens what a link leads into, and finds calls. */
"use strict";
(function () {
	function openAround(element) {
		for (; element; element = element.parentElement)
			if (element.tagName === "DETAILS")
				element.open = true;
	}

	function followHash() {
		var target = document.getElementById(location.hash.slice(1));

		if (!target)
			return;
		openAround(target);
		target.scrollIntoView();
	}

	function findCalls() {
		var input = document.getElementById("find");
		var wanted = input.value.trim().toLowerCase();
		var rows = document.querySelectorAll("table.classes tbody tr");
		var found = 0;

		rows.forEach(function (row) {
			var names = row.cells[0].textContent.toLowerCase();
			var shown = names.split(/[\s,]+/).some(function (name) {
				return name.indexOf(wanted) === 0;
			});

			row.hidden = !shown;
			found += shown;
		});
		document.querySelectorAll("details.more-rows").forEach(function (rest) {
			rest.open = wanted !== "";
		});
		document.querySelector(".find output").textContent =
			wanted === "" ? "" : found + (found === 1 ? " class" : " classes");
	}

	addEventListener("hashchange", followHash);
	followHash();
	document.querySelectorAll(".find").forEach(function (find) {
		find.hidden = false;
		find.querySelector("input").addEventListener("input", findCalls);
	});
})();
