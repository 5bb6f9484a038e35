package main

// lines reports what the provider's code printed, as it reaches the host through the stdio service.
type lines struct{ stream string }

func (l *lines) Write(data []byte) (int, error) {
	report("printed", map[string]any{"stream": l.stream, "text": string(data)})
	return len(data), nil
}
