package io.persist.matrix.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.matrix.Effort;
import io.persist.matrix.JointExercise;
import io.persist.matrix.Matrix;
import io.persist.matrix.Row;
import io.persist.matrix.Subject;
import io.persist.support.ChildJvm;
import io.persist.support.ScratchDirectory;
import io.persist.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A process may have only so many open files (EMFILE): a log is opened with 0, 1, 2 … descriptors left until that
 * works, and comes to need one more when there is none.
 */
public final class NoDescriptors implements JointExercise {

    private static final int LIMIT = 256;

    @Override
    public Row row() {
        return Row.BAD_DIRECTORY;
    }

    /** One process tries each logger: at night in both write modes, each attached and detached. */
    @Override
    public List<Subject> subjects() {
        return Subject.ofEachLogger();
    }

    /** The names of those of {@code logger}; a build takes one of each write mode, one attached and one detached. */
    private static String tried(Subject.Logger logger) {
        boolean takesAll = Seeds.isNightly() || Integer.getInteger("row") != null;
        int part = Matrix.part(NoDescriptors.class.getSimpleName(), 2);
        return Subject.all().stream()
                .filter(one -> one.logger() == logger)
                .filter(one ->
                        takesAll || (one.writer().ordinal() + one.writeMode().ordinal()) % 2 == part)
                .map(Subject::name)
                .collect(Collectors.joining(","));
    }

    @Override
    public void run(List<Subject> subjects, Effort effort) throws Exception {
        String tried = subjects.stream().map(one -> tried(one.logger())).collect(Collectors.joining(","));
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n " + LIMIT + " && exec \"$@\"", "sh"));
        try (ScratchDirectory scratch = ScratchDirectory.create()) {
            command.addAll(ChildJvm.briefly(FewDescriptors.class, scratch.path(), tried));
            try (ChildJvm child = ChildJvm.run(command)) {
                String answer = child.hear();
                assertThat(answer).as("cases that were tried").matches("\\d+");
                effort.tried(Long.parseLong(answer));
            }
        }
    }
}
