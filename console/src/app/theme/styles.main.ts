// The styles that the signed-in application adds.
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import 'dayjs/locale/ko'
import './theme.main.css'
