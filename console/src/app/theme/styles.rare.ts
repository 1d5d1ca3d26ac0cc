// Font faces of letters that the console's own texts rarely use but names do; fetched after the first paint.
import 'pretendard/dist/web/variable/pretendardvariable-dynamic-subset.css?rare'
