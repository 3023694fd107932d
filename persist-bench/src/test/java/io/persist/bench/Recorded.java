package io.persist.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the JDK's Flight Recorder saw while a program ran: each call that read or wrote a file, and the threads that
 * were started. Loads and stores of mapped memory are no calls.
 *
 * @param writes all but those of zeros ahead of the appender
 */
record Recorded(List<Call> reads, List<Call> writes, List<Call> zeros, List<String> startedThreads) {

    private static final String READ = "jdk.FileRead";
    private static final String WRITE = "jdk.FileWrite";
    private static final String THREAD_START = "jdk.ThreadStart";

    /**
     * A read or a write.
     *
     * @param bytes how many were read or written
     * @param thread the name of the one that did it
     */
    record Call(Path file, long bytes, String thread) {

        /** Whether it was to a segment of the log in {@code logs}, after that had got its name. */
        boolean isOfSegment(Path logs) {
            return isBelow(logs) && file.getFileName().toString().endsWith(".log");
        }

        /** Whether it was to a file in {@code directory} itself, which has a name of its own. */
        boolean isBelow(Path directory) {
            Path parent = file.getParent();
            return parent != null && parent.endsWith(lastNames(directory));
        }

        /** Two names tell logs apart that are called alike in different places. */
        static Path lastNames(Path directory) {
            int count = directory.getNameCount();
            return directory.subpath(Math.max(0, count - 2), count);
        }
    }

    /** Records {@code action}; {@code directory} is for a file that is deleted again. */
    static Recorded during(Path directory, Runnable action) throws IOException {
        Path file = Files.createTempFile(directory, "", ".jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of(READ, WRITE)) {
                recording
                        .enable(name)
                        .withoutThreshold()
                        .withStackTrace()
                        .with("throttle", "off"); // which only newer JDKs know
            }
            recording.enable(THREAD_START).withoutStackTrace();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
        }
        List<Call> reads = new ArrayList<>();
        List<Call> writes = new ArrayList<>();
        List<Call> zeros = new ArrayList<>();
        List<String> startedThreads = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            switch (event.getEventType().getName()) {
                case READ -> reads.add(call(event, "bytesRead"));
                case WRITE -> (isOfZeros(event) ? zeros : writes).add(call(event, "bytesWritten"));
                case THREAD_START ->
                    startedThreads.add(event.getThread("thread").getJavaName());
                default -> {}
            }
        }
        Files.delete(file);
        return new Recorded(reads, writes, zeros, startedThreads);
    }

    private static boolean isOfZeros(RecordedEvent event) {
        return event.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getType().getName().endsWith(".ZeroWriter"));
    }

    private static Call call(RecordedEvent event, String bytes) {
        String path = event.getString("path"); // standard streams have none
        return new Call(
                Path.of(path == null ? "" : path),
                event.getLong(bytes),
                event.getThread().getJavaName());
    }
}
