package io.persist.peers.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where the threads that measured were seen.
 *
 * @param event what the samples were taken by
 * @param samples of those threads
 * @param kinds how many of each kind
 * @param methods of the journal's code, each with what it calls of the JDK; most often seen first
 * @param leaves the innermost frames; most often seen first
 */
public record Profile(
        SampledEvent event, long samples, Map<Kind, Long> kinds, List<Count> methods, List<Count> leaves) {

    /** How often something was seen. */
    public record Count(String name, long samples) {}

    /** What belongs to the profiler itself. */
    private static final List<String> PROFILER = List.of("one/profiler/", FrameKinds.BENCHMARK + "AsyncSampling.");

    private record Stack(String thread, List<String> frames, long samples) {

        /** From a line of {@link ProfileFiles#samples}, whose first frame names the thread. */
        static Stack parse(String line) {
            int end = line.lastIndexOf(' ');
            List<String> frames = List.of(line.substring(0, end).split(";"));
            return new Stack(frames.get(0), frames.subList(1, frames.size()), Long.parseLong(line.substring(end + 1)));
        }

        boolean isBelow(String name) {
            return frames.stream().anyMatch(frame -> frame.startsWith(name));
        }
    }

    /** Reads what a trial has left. */
    public static Profile read(ProfileFiles files) throws IOException {
        SampledEvent event = SampledEvent.valueOf(Files.readString(files.event()));
        return of(event, Files.readAllLines(files.samples()));
    }

    static Profile of(SampledEvent event, List<String> lines) {
        List<Stack> stacks = new ArrayList<>();
        Set<String> measuring = new HashSet<>();
        for (String line : lines) {
            Stack stack = Stack.parse(line);
            if (PROFILER.stream().noneMatch(stack::isBelow)) {
                stacks.add(stack);
                if (stack.isBelow(FrameKinds.BENCHMARK)) {
                    measuring.add(stack.thread());
                }
            }
        }
        // Also those of its stacks count that could not be walked to their ends.
        stacks.removeIf(stack -> !measuring.contains(stack.thread()));

        Map<Kind, Long> kinds = new EnumMap<>(Kind.class);
        Map<String, Long> methods = new HashMap<>();
        Map<String, Long> leaves = new HashMap<>();
        long samples = 0;
        for (Stack stack : stacks) {
            FrameKinds.Place place = FrameKinds.of(stack.frames());
            samples += stack.samples();
            kinds.merge(place.kind(), stack.samples(), Long::sum);
            if (place.kind() == Kind.JOURNAL) {
                methods.merge(place.frame(), stack.samples(), Long::sum);
            }
            leaves.merge(stack.frames().get(stack.frames().size() - 1), stack.samples(), Long::sum);
        }
        return new Profile(event, samples, kinds, mostFirst(methods), mostFirst(leaves));
    }

    private static List<Count> mostFirst(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(each -> new Count(each.getKey(), each.getValue()))
                .sorted(Comparator.comparingLong(Count::samples).reversed().thenComparing(Count::name))
                .toList();
    }
}
