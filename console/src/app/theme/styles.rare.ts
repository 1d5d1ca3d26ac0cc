// Faces of letters that are rare in the console's own words, fetched after the first paint: names need them.
import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css?rare'
