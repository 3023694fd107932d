package io.persist.matrix.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.persist.matrix.Exercise;
import io.persist.matrix.Matrix;
import io.persist.support.Docs;
import io.persist.support.Seeds;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code -Dcontrol=} runs the controls that have this in what is broken. */
final class ControlTest {

    /** A build takes one of so many parts. */
    private static final int PARTS = 4;

    /** The exercises of this package, with the build as it is. */
    @TestFactory
    Stream<DynamicTest> rows() {
        return Matrix.of(
                new Killed(),
                new SameLengthTail(),
                new RecycledTail(),
                new RecycledAhead(),
                new MovedFrames(),
                new BadLength(),
                new Unfinished(),
                new FailedSync(),
                new DeadThread(),
                new RealDirectory(),
                new TwoDirectories(),
                new DamagedRecord(),
                new NoHoles(),
                new RecoveryReads(),
                new UpkeepCut(),
                new ErrorEverywhere(),
                new KeptPayloads(),
                new LostPages());
    }

    /** A build takes every fourth one, the next build perhaps others; a night takes all. */
    @TestFactory
    Stream<DynamicTest> shouldFindOutThat() {
        String part = System.getProperty("control");
        List<Control> all = Controls.all();
        boolean takesAll = part != null || Integer.getInteger("row") != null || Seeds.isNightly();
        int first = Matrix.part("controls", PARTS);
        return Matrix.of(IntStream.range(0, all.size())
                .filter(number -> takesAll || number % PARTS == first)
                .mapToObj(all::get)
                .filter(control -> part == null || control.broken().contains(part))
                .toArray(Exercise[]::new));
    }

    /** So that none goes stale unnoticed, also of those that are not run. */
    @Test
    void shouldBeAbleToBreakWhatEachBreaks() {
        for (Control control : Controls.all()) {
            assertThatCode(() -> new BrokenBuild(control.changes()))
                    .as(control.broken())
                    .doesNotThrowAnyException();
        }
    }

    /**
     * A failure is the defect's, and not of the way in which a build is loaded, nor of the circumstances. A build looks
     * at one exercise, a night at all.
     */
    @TestFactory
    Stream<DynamicTest> shouldPassWithABuildThatIsLoadedAnewAndWhole() {
        return Controls.all().stream()
                .map(Control::whole)
                .distinct()
                .filter(whole -> Seeds.isNightly() || whole.exercise() == MovedFrames.class)
                .map(whole -> DynamicTest.dynamicTest(
                        whole.title() + " " + whole.subject(),
                        () -> assertThat(whole.failure()).isNull()));
    }

    @Test
    void shouldListTheControls() {
        assertThat(Docs.table("docs/matrix.md", "Controls"))
                .isEqualTo(Controls.all().stream()
                        .map(control -> List.of(
                                control.promise(),
                                control.broken(),
                                control.exercise().getSimpleName(),
                                control.subject().name()))
                        .toList());
    }
}
